import { toTime } from '../db/clock.ts';
import type { Db, Tx } from '../db/db.ts';
import { Failure } from '../errors/failure.ts';
import { openIfWhole } from '../etches/secret.ts';
import { statusAt } from '../etches/status.ts';
import { queueEvents } from '../events/event-store.ts';
import type { Caller } from '../identity/caller.ts';
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
  let written = 0;
  for (;;) {
    const { due, broken } = await db.tx(async (tx) => {
      const rows = await lockDueEtches(tx, toTime(now), DUE_AT_ONCE);
      return { due: rows.length, broken: await writeOpen(tx, keyring, rows) };
    });
    written += due;
    if (broken.length > 0) damaged(broken);
    if (due < DUE_AT_ONCE) return written;
  }
}

/**
 * The rows, and what is searched, follow in one transaction, which this ends: no text is public in one and missing in the other.
 * Answers what no key opened.
 */
async function writeOpen(tx: Tx, keyring: Keyring, rows: readonly LockedEtch[]): Promise<string[]> {
  const broken: string[] = [];
  const revealed = rows.flatMap((row) => {
    const parts = openIfWhole(keyring, row.id, row.sealed!);
    if (!parts) broken.push(row.id);
    return parts ? [{ id: row.id, ...parts }] : [];
  });
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
