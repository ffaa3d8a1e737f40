import { hardenFingerprints } from '../accounts/guesses.ts';
import { type Clock, toTime } from '../db/clock.ts';
import type { Db, Tx } from '../db/db.ts';
import { Failure } from '../platform/failure.ts';
import { statusAt } from '../etches/status.ts';
import { queueEvents } from '../events/event-store.ts';
import type { Caller } from '../identity/caller.ts';
import { indexRetracted } from '../search-index/index-store.ts';
import { type LockedEtch, lockEtch, writeRetracted } from './change-store.ts';

export async function retractEtch(db: Db, clock: Clock, caller: Caller, id: string): Promise<void> {
  await db.tx(async (tx) => {
    const row = await lockEtch(tx, id);
    if (!row) throw new Failure('not_found', 'there is no etch with this id');
    if (row.user_id !== caller.userId) throw new Failure('forbidden', 'only its author may retract an etch');
    if (row.status === 'retracted') throw new Failure('unprocessable', 'the etch is already retracted');
    // Read the clock after the lock: the etch may have become public.
    await erase(tx, row, clock.now());
  });
}

/** The caller has locked the etch. @param at ms since 1970 @param takenDown the operator's reason */
export async function erase(
  tx: Tx,
  row: LockedEtch,
  at: number,
  takenDown: string | null = null,
): Promise<void> {
  await writeRetracted(tx, row.id, toTime(at), revealedAtAfterRetraction(row, at), takenDown);
  await hardenFingerprints(tx, row.user_id, row.id);
  await queueEvents(tx, 'etch.retracted', [row.id]);
  await indexRetracted(tx, row.id);
}

/** A time would publish an instant etch's hidden `created_at` (docs/specification.md#etch). */
export function revealedAtAfterRetraction(
  row: Pick<LockedEtch, 'mode' | 'status' | 'reveal_at'>,
  now: number,
): string | null {
  if (row.mode === 'instant') return null;
  return statusAt(row, now) === 'revealed' ? row.reveal_at : null;
}
