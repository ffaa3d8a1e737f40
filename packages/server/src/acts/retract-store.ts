// Retracts an etch: erases its text and leaves its tombstone to anchoring, in one transaction.
import sql from 'sql-template-tag';
import { type HardFingerprints, hardenFingerprints, storeHardFingerprints } from '../accounts/guess-store.ts';
import { type Clock, toTime } from '../db/clock.ts';
import type { Db, Tx } from '../db/db.ts';
import { type EtchRow, type HiddenFields, statusAt } from '../etches/row.ts';
import { queueEvents } from '../events/event-store.ts';
import type { Caller } from '../identity/caller.ts';
import { Failure } from '../platform/failure.ts';
import { indexRetracted } from '../search-index/index-store.ts';

type Columns = 'id' | 'user_id' | 'mode' | 'status' | 'reveal_at' | 'revealed_at' | 'sealed';
export type LockedEtch = Pick<EtchRow, Columns | keyof HiddenFields>;

export const LOCKED = sql`id, user_id, mode, status, reveal_at, revealed_at, sealed, content, salt, signature, signature_key`;

export const lockEtch = (tx: Tx, id: string) =>
  tx.first<LockedEtch>(sql`select ${LOCKED} from etch where id = ${id} for update`);

export async function lockOwnEtch(tx: Tx, caller: Caller, id: string, act: 'retract' | 'reveal') {
  const row = await lockEtch(tx, id);
  if (!row) throw new Failure('not_found', 'there is no etch with this id');
  if (row.user_id !== caller.userId) throw new Failure('forbidden', `only its author may ${act} an etch`);
  return row;
}

export async function retractEtch(db: Db, clock: Clock, caller: Caller, id: string): Promise<void> {
  const hardened = await hardenFingerprints(db, id, caller.userId);
  await db.tx(async (tx) => {
    const row = await lockOwnEtch(tx, caller, id, 'retract');
    if (row.status === 'retracted') throw new Failure('unprocessable', 'the etch is already retracted');
    // Read the clock after the lock: the etch may have become public.
    await erase(tx, row, clock.now(), { hardened });
  });
}

export interface Erasing {
  /** made before the transaction */
  hardened: HardFingerprints;
  /** the operator's reason */
  takenDown?: string | null;
}

/** The caller has locked the etch. @param at ms since 1970 */
export async function erase(tx: Tx, row: LockedEtch, at: number, erasing: Erasing) {
  await writeRetracted(tx, row.id, toTime(at), revealedAtAfterRetraction(row, at));
  await finishErasure(tx, row.id, toTime(at), erasing);
  await indexRetracted(tx, row.id);
}

export const writeRetracted = (tx: Tx, id: string, at: string, revealedAt: string | null) =>
  tx.query(sql`
    update etch set status = 'retracted', retracted_at = ${at}, revealed_at = ${revealedAt},
      sealed = null, content = null, salt = null, signature = null, signature_key = null
    where id = ${id}`);

/** Queues the tombstone, the event and the row of the ledger of erasures. */
export async function finishErasure(
  tx: Tx,
  id: string,
  at: string,
  { hardened, takenDown = null }: Erasing,
): Promise<void> {
  await tx.query(sql`insert into anchor_job (kind, etch_id, created_at) values (1, ${id}, ${at})`);
  await tx.query(sql`
    insert into erasure (etch_id, hash, retracted_at, taken_down)
    select id, hash, retracted_at, ${takenDown} from etch where id = ${id}
    on conflict do nothing`);
  await storeHardFingerprints(tx, hardened);
  await queueEvents(tx, 'etch.retracted', [id]);
}

/** A time would publish an instant etch's hidden `created_at` (docs/specification.md#etch). */
export function revealedAtAfterRetraction(row: LockedEtch, now: number): string | null {
  if (row.mode === 'instant') return null;
  return statusAt(row, now) === 'revealed' ? row.reveal_at : null;
}
