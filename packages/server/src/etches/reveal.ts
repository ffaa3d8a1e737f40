import { toTime } from '../db/clock.ts';
import type { Db, Tx } from '../db/db.ts';
import { indexRevealed } from '../discovery/index-store.ts';
import { Failure } from '../failure.ts';
import type { Caller } from '../identity/caller.ts';
import type { Keyring } from '../keyring.ts';
import { openParts } from './secret.ts';
import { statusAt } from './status.ts';
import { type LockedEtch, lockDueEtches, lockEtch, writeRevealed } from './store.ts';

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
    if (row.sealed) await writeOpen(tx, keyring, [row]);
  });
}

const DUE_AT_ONCE = 500;

/** Lets the stored rows follow the clock. Answers how many it wrote. */
export async function revealDueEtches(db: Db, keyring: Keyring, now: number): Promise<number> {
  let written = 0;
  for (;;) {
    const count = await db.tx(async (tx) => {
      const due = await lockDueEtches(tx, toTime(now), DUE_AT_ONCE);
      if (due.length > 0) await writeOpen(tx, keyring, due);
      return due.length;
    });
    written += count;
    if (count < DUE_AT_ONCE) return written;
  }
}

/** The rows, and what is searched, follow in one transaction: no text is public in one and missing in the other. */
async function writeOpen(tx: Tx, keyring: Keyring, rows: readonly LockedEtch[]): Promise<void> {
  const revealed = rows.map((row) => ({ id: row.id, ...openParts(keyring, row.id, row.sealed!) }));
  await writeRevealed(tx, revealed);
  await indexRevealed(tx, revealed);
}
