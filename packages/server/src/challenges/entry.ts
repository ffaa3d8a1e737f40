import { DESCRIPTION_MAX } from '@svc/contract';
import { Failure } from '../platform/failure.ts';
import type { EntryTerms } from './store.ts';
import { isClosed } from './view.ts';

/** The description must reveal nothing about the answer. */
export function entryDescription(question: string): string {
  return [...`Sealed answer to: ${question}`].slice(0, DESCRIPTION_MAX).join('');
}

export function entryRefusal(terms: EntryTerms, now: number): Failure | undefined {
  if (isClosed(terms, now)) {
    return new Failure('bad_request', 'the challenge is closed: etching ended at its reveal_at', [
      { path: 'challenge_id', message: 'names a challenge that is closed' },
    ]);
  }
  if (terms.entered) {
    return new Failure(
      'conflict',
      'this account has already etched in this challenge: an account etches once in a challenge',
    );
  }
  return undefined;
}
