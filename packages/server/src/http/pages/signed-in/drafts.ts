// Ids of drafts. A draft's id is its Idempotency-Key, so that a form that is sent twice creates one record.
import { randomUUID } from 'node:crypto';
import { isUuid } from '@svc/contract';
import type { Caller } from '../../../identity/caller.ts';
import { Failure } from '../../../platform/failure.ts';
import type { HttpDependencies } from '../../dependencies.ts';
import type { FormFields } from '../form.ts';
import { etchesPerDay, readBucket, refill, remaining } from '../../../accounts/allowance-store.ts';
import { KeyUsed } from '../../../accounts/idempotency-store.ts';

/** A draft's id is its Idempotency-Key, so that a form that is sent twice creates one record. */
export const draftId = ({ draft }: FormFields): string =>
  draft !== undefined && isUuid(draft) ? draft.toLowerCase() : randomUUID();

/** The earlier record keeps the draft's id, so the new text needs a new one. */
export function newDraftIfUsed(draft: { draft: string }, error: unknown, message: string): unknown {
  if (!(error instanceof KeyUsed)) return error;
  draft.draft = randomUUID();
  return new Failure('conflict', message);
}

export async function leftToday(
  { db, clock, config: { limits } }: HttpDependencies,
  caller: Caller,
  kind: 'etch' | 'challenge',
): Promise<number> {
  const perDay = kind === 'etch' ? etchesPerDay(caller, limits) : limits.challengesPerDay;
  return remaining(refill(await readBucket(db, caller.userId, kind), perDay, clock.now()), perDay);
}
