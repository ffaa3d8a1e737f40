import sql from 'sql-template-tag';
import { type HardFingerprints, hardenFingerprints, storeHardFingerprints } from '../accounts/guess-store.ts';
import { type Clock, toTime } from '../db/clock.ts';
import type { Db, Queryable, Tx } from '../db/db.ts';
import { decryptHidden, encryptHidden } from '../etches/hidden-fields.ts';
import { type EtchRow, type HiddenFields, statusAt } from '../etches/row.ts';
import { queueEvents } from '../events/event-store.ts';
import type { Caller } from '../identity/caller.ts';
import { Failure } from '../platform/failure.ts';
import type { Keyring } from '../platform/secrets/keyring.ts';
import { indexRetracted, reindex } from '../search-index/index-store.ts';

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

interface Erasing {
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

async function finishErasure(
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
function revealedAtAfterRetraction(row: LockedEtch, now: number): string | null {
  if (row.mode === 'instant') return null;
  return statusAt(row, now) === 'revealed' ? row.reveal_at : null;
}

/**
 * Withholds etches with a tombstone on the chain but no retraction here, as after a restore. Answers show them as
 * retracted (docs/decisions/0018-withheld-not-erased.md).
 */
export async function withhold(
  db: Db,
  keyring: Keyring,
  { uid, at }: { uid: Buffer; at: string },
  etchIds: readonly string[],
): Promise<number> {
  let withheld = 0;
  for (const id of etchIds) {
    await db.tx(async (tx) => {
      const row = await lockEtch(tx, id);
      if (!row || row.status === 'retracted') return;
      await tx.query(sql`
        insert into withheld (etch_id, uid, status, revealed_at, parts)
        values (${id}, ${uid}, ${row.status}, ${row.revealed_at}, ${encryptedFields(keyring, row)})`);
      await writeRetracted(tx, id, at, revealedAtAfterRetraction(row, Date.parse(at)));
      await indexRetracted(tx, id);
      withheld++;
    });
  }
  return withheld;
}

function encryptedFields(keyring: Keyring, row: LockedEtch): Buffer | null {
  if (row.sealed) return row.sealed;
  const { content, salt, signature, signature_key } = row;
  if (content === null || salt === null) return null;
  return encryptHidden(keyring, row.id, { content, salt, signature, signature_key });
}

export const listWithheld = (db: Queryable, uid: Buffer | null = null) =>
  db.query<{ etch_id: string; uid: Buffer }>(sql`
    select etch_id, uid from withheld where ${uid}::bytea is null or uid = ${uid} order by withheld_at, etch_id`);

interface Withheld {
  status: 'sealed' | 'revealed';
  revealed_at: string | null;
  retracted_at: string;
  parts: Buffer | null;
}

async function takeWithheld(tx: Tx, id: string): Promise<Withheld | undefined> {
  const row = await tx.first<Withheld>(sql`
    select w.status, w.revealed_at, e.retracted_at, w.parts
    from withheld w join etch e on e.id = w.etch_id where w.etch_id = ${id} for update`);
  if (row) await tx.query(sql`delete from withheld where etch_id = ${id}`);
  return row;
}

/**
 * Runs for a tombstone that the authors did not cause. The text of a sealed etch stays encrypted.
 * @throws SealBroken, then that etch stays withheld
 */
export async function releaseWithheld(db: Db, keyring: Keyring, uid: Buffer): Promise<number> {
  let given = 0;
  for (const { etch_id: id } of await listWithheld(db, uid)) {
    await db.tx(async (tx) => {
      const held = await takeWithheld(tx, id);
      if (!held) return;
      const { parts, status, revealed_at } = held;
      const open = parts && status === 'revealed' ? decryptHidden(keyring, id, parts) : null;
      await tx.query(sql`
        update etch set status = ${status}, retracted_at = null, revealed_at = ${revealed_at}, sealed = ${open ? null : parts},
          content = ${open?.content}, salt = ${open?.salt}, signature = ${open?.signature}, signature_key = ${open?.signature_key}
        where id = ${id}`);
      await reindex(tx, id);
      given++;
    });
  }
  return given;
}

export async function eraseWithheld(db: Db, uid: Buffer | null): Promise<number> {
  let erased = 0;
  for (const { etch_id: id } of await listWithheld(db, uid)) {
    const hardened = await hardenFingerprints(db, id);
    if (await db.tx((tx) => eraseWithheldEtch(tx, id, { hardened }))) erased++;
  }
  return erased;
}

export async function eraseWithheldEtch(tx: Tx, id: string, erasing: Erasing) {
  const held = await takeWithheld(tx, id);
  if (!held) return false;
  await finishErasure(tx, id, held.retracted_at, erasing);
  return true;
}
