import { toTime } from '../db/clock.ts';
import type { Db, Tx } from '../db/db.ts';
import { Failure } from '../errors/failure.ts';
import { openIfWhole } from '../etches/secret.ts';
import { statusAt } from '../etches/status.ts';
import { queueEvents } from '../events/event-store.ts';
import { inSlices } from '../flow/slices.ts';
import type { Caller } from '../identity/caller.ts';
import { foldContent } from '../search-index/fold.ts';
import { indexRevealed } from '../search-index/index-store.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { type LockedEtch, lockDueEtches, lockEtch, markUnreadable, writeRevealed } from './change-store.ts';

/**
 * Writes the row of an etch whose time has come; the reveal itself is the clock's.
 * @throws Failure not_found, forbidden, unprocessable
 */
export async function revealEtch(
  db: Db,
  keyring: Keyring,
  caller: Caller,
  id: string,
  now: number,
): Promise<void> {
  await db.tx(async (tx) => {
    const row = await lockEtch(tx, id);
    if (!row) throw new Failure('not_found', 'there is no etch with this id');
    if (row.user_id !== caller.userId) throw new Failure('forbidden', 'only its author may reveal an etch');
    const status = statusAt(row, now);
    if (status === 'sealed')
      throw new Failure(
        'unprocessable',
        'the etch is sealed until its reveal_at: nobody can reveal it earlier',
      );
    if (status === 'retracted')
      throw new Failure('unprocessable', 'the etch is retracted: there is nothing left to reveal');
    if (row.sealed && (await writeOpen(tx, keyring, [row])).length > 0) {
      throw new Error(`etch ${id} cannot be opened: its stored value is damaged`);
    }
  });
}

const DUE_AT_ONCE = 500;
/** So many bytes are opened and folded in a few milliseconds. */
const SLICE = 4 * 16_384;
/**
 * Of many, so many portions are written beside each other: the database works on one while the texts of another are opened. The
 * embedded one has one connection, where others would only wait longer for their turn.
 */
const SIDE_BY_SIDE = { postgres: 2, pglite: 1 };

/**
 * Lets the stored rows follow the clock. Answers how many it wrote. A row that no key opens is set aside, and `damaged`
 * is told its id: its neighbours are revealed all the same.
 */
export async function revealDueEtches(
  db: Db,
  keyring: Keyring,
  now: number,
  damaged: (ids: readonly string[]) => void = () => {},
): Promise<number> {
  const revealPortion = async (): Promise<number> => {
    const { due, broken } = await db.tx(async (tx) => {
      const rows = await lockDueEtches(tx, toTime(now), DUE_AT_ONCE);
      return { due: rows.length, broken: await writeOpen(tx, keyring, rows) };
    });
    if (broken.length > 0) damaged(broken);
    return due;
  };
  const revealRest = async (): Promise<number> => {
    for (let written = 0; ;) {
      const due = await revealPortion();
      written += due;
      if (due < DUE_AT_ONCE) return written;
    }
  };
  const first = await revealPortion();
  if (first < DUE_AT_ONCE) return first;
  const portions = Array.from({ length: SIDE_BY_SIDE[db.engine] }, revealRest);
  // Where one fails the others are still waited for: nothing is written that nobody knows of.
  await Promise.allSettled(portions);
  return (await Promise.all(portions)).reduce((sum, written) => sum + written, first);
}

/**
 * The rows, and what is searched, follow in one transaction, which this ends: no text is public in one and missing in the other.
 * Answers what no key opened.
 */
async function writeOpen(tx: Tx, keyring: Keyring, rows: readonly LockedEtch[]): Promise<string[]> {
  // Hundreds of long texts take tens of milliseconds to open and to fold: others have their turn between.
  const opened = await inSlices(
    rows,
    (row) => row.sealed!.length,
    (row) => {
      const parts = openIfWhole(keyring, row.id, row.sealed!);
      return parts && { id: row.id, ...parts, folded: foldContent(parts.content) };
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
