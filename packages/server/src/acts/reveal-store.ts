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
import { type LockedEtch, lockDueEtches, lockEtch, markUnreadable, writeRevealed } from './change-store.ts';

/** Readers already see a due etch as revealed. */
export async function revealEtch(db: Db, keyring: Keyring, caller: Caller, id: string, now: number) {
  await db.tx(async (tx) => {
    const row = await lockEtch(tx, id);
    if (!row) throw new Failure('not_found', 'there is no etch with this id');
    if (row.user_id !== caller.userId) throw new Failure('forbidden', 'only its author may reveal an etch');
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
      const rows = await lockDueEtches(tx, toTime(now), DUE_AT_ONCE);
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
  if (broken.length > 0) await markUnreadable(tx, broken);
  if (revealed.length > 0) {
    await writeRevealed(tx, revealed);
    await queueEvents(
      tx,
      'etch.revealed',
      revealed.map(({ id }) => id),
    );
    await indexRevealed(tx, revealed);
  }
  return broken;
}
