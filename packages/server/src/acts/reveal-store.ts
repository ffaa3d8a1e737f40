// Opens sealed etches: early by their author, or when they are due.
import sql from 'sql-template-tag';
import { toTime } from '../db/clock.ts';
import type { Db, Tx } from '../db/db.ts';
import { Failure } from '../platform/failure.ts';
import { decryptIfIntact } from '../etches/hidden-fields.ts';
import { statusAt } from '../etches/row.ts';
import { queueEvents } from '../events/event-store.ts';
import { mapInTimeSlices } from '../platform/flow/time-slices.ts';
import type { Caller } from '../identity/caller.ts';
import { foldContent } from '../search-index/fold.ts';
import { indexRevealed } from '../search-index/index-store.ts';
import type { Keyring } from '../platform/secrets/keyring.ts';
import { LOCKED, type LockedEtch, lockOwnEtch } from './retract-store.ts';

/** Readers already see a due etch as revealed. */
export async function revealEtch(db: Db, keyring: Keyring, caller: Caller, id: string, now: number) {
  await db.tx(async (tx) => {
    const row = await lockOwnEtch(tx, caller, id, 'reveal');
    const status = statusAt(row, now);
    if (status === 'sealed')
      throw new Failure(
        'unprocessable',
        'the etch is sealed until its reveal_at: call this endpoint after that time',
      );
    if (status === 'retracted')
      throw new Failure('unprocessable', 'the etch is retracted: there is nothing left to reveal');
    if (row.sealed && (await writeOpen(tx, keyring, [row])).length > 0) {
      throw new Error(`etch ${id} cannot be opened: its stored value is damaged`);
    }
  });
}

const DUE_AT_ONCE = 500;
/** Bytes; a few milliseconds of work. */
const SLICE = 4 * 16_384;
/** The embedded database has one connection. */
const PARALLEL_CHUNKS = { postgres: 2, pglite: 1 };

/** @param damaged receives rows that cannot be decrypted; later runs skip them @returns how many rows were due */
export async function revealDueEtches(
  db: Db,
  keyring: Keyring,
  now: number,
  damaged: (ids: readonly string[]) => void = () => {},
): Promise<number> {
  const revealChunk = async (): Promise<number> => {
    const { due, broken } = await db.tx(async (tx) => {
      const rows = await tx.query<LockedEtch>(sql`
        select ${LOCKED} from etch where status = 'sealed' and reveal_at <= ${toTime(now)} and not unreadable
        order by reveal_at limit ${DUE_AT_ONCE} for update skip locked`);
      return { due: rows.length, broken: await writeOpen(tx, keyring, rows) };
    });
    if (broken.length > 0) damaged(broken);
    return due;
  };
  const revealRest = async (): Promise<number> => {
    for (let written = 0; ;) {
      const due = await revealChunk();
      written += due;
      if (due < DUE_AT_ONCE) return written;
    }
  };
  const first = await revealChunk();
  if (first < DUE_AT_ONCE) return first;
  const chunks = Array.from({ length: PARALLEL_CHUNKS[db.engine] }, revealRest);
  await Promise.allSettled(chunks);
  return (await Promise.all(chunks)).reduce((sum, written) => sum + written, first);
}

async function writeOpen(tx: Tx, keyring: Keyring, rows: readonly LockedEtch[]): Promise<string[]> {
  const opened = await mapInTimeSlices(
    rows,
    (row) => row.sealed!.length,
    (row) => {
      const hidden = decryptIfIntact(keyring, row.id, row.sealed!);
      return hidden && { id: row.id, ...hidden, folded: foldContent(hidden.content) };
    },
    SLICE,
  );
  const revealed = opened.filter((etch) => etch !== null);
  const broken = rows.filter((_, index) => opened[index] === null).map(({ id }) => id);
  if (broken.length > 0)
    await tx.query(sql`update etch set unreadable = true where id = any(${broken}::uuid[])`);
  if (revealed.length === 0) return broken;
  const ids = revealed.map(({ id }) => id);
  await tx.query(sql`
    update etch e set status = 'revealed', revealed_at = e.reveal_at, sealed = null,
      content = v.content, salt = v.salt, signature = v.signature, signature_key = v.signature_key
    from unnest(
      ${ids}::uuid[], ${revealed.map((etch) => etch.content)}::text[], ${revealed.map((etch) => etch.salt)}::bytea[],
      ${revealed.map((etch) => etch.signature)}::bytea[], ${revealed.map((etch) => etch.signature_key)}::text[])
      as v (id, content, salt, signature, signature_key)
    where e.id = v.id and e.status = 'sealed'`);
  await queueEvents(tx, 'etch.revealed', ids);
  await indexRevealed(tx, revealed);
  return broken;
}
