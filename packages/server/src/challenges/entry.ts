import { DESCRIPTION_MAX } from '@svc/contract';
import { Failure } from '../errors/failure.ts';
import type { EntryTerms } from './store.ts';
import { isClosed } from './view.ts';

/** The description of an etch in a challenge: of the question alone, so that it tells nothing of the answer. */
export function entryDescription(question: string): string {
  return [...`Sealed answer to: ${question}`].slice(0, DESCRIPTION_MAX).join('');
}

/** Why this account cannot etch in the challenge now, or undefined. */
export function entryRefusal(terms: EntryTerms, now: number): Failure | undefined {
  if (isClosed(terms, now)) {
    return new Failure('bad_request', 'the challenge is closed: etching ended at its reveal_at', [
      { path: 'challenge_id', message: 'names a challenge that is closed' },
    ]);
  }
  if (terms.entered) {
    return new Failure('conflict', 'this account has etched in the challenge: each may once, for ever');
  }
  return undefined;
}
