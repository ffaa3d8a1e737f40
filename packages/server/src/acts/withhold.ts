import { hardenFingerprints } from '../accounts/guesses.ts';
import type { Db, Tx } from '../db/db.ts';
import { closeParts, openParts } from '../etches/secret.ts';
import { queueEvents } from '../events/event-store.ts';
import { indexRetracted, reindex } from '../search-index/index-store.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { writeTombstone } from './change-store.ts';
import { revealedAtAfterRetraction } from './retract.ts';
import {
  listWithheld,
  lockStanding,
  moveApart,
  putBack,
  type StandingEtch,
  takeWithheld,
} from './withheld-store.ts';

/**
 * A text whose tombstone the chain holds, and whose retraction this database has forgotten, is withheld: from then on every
 * answer has it as retracted, because its row holds nothing. Nothing is lost by it: what the row held is kept apart,
 * encrypted, until an operator erases it or gives it back (docs/decisions/0018-withheld-not-erased.md).
 */
export async function withhold(
  db: Db,
  keyring: Keyring,
  tombstone: { uid: Buffer; at: string },
  etchIds: readonly string[],
): Promise<number> {
  let withheld = 0;
  for (const id of etchIds) {
    await db.tx(async (tx) => {
      const row = await lockStanding(tx, id);
      if (!row) return;
      const { uid, at } = tombstone;
      const revealedAt = revealedAtAfterRetraction(row, Date.parse(at));
      await moveApart(tx, row, { uid, at, revealedAt, parts: partsOf(keyring, row) });
      await indexRetracted(tx, id);
      withheld++;
    });
  }
  return withheld;
}

function partsOf(keyring: Keyring, row: StandingEtch): Buffer | null {
  if (row.sealed) return row.sealed;
  const { content, salt, signature, signature_key } = row;
  if (content === null || salt === null) return null;
  return closeParts(keyring, row.id, { content, salt, signature, signature_key });
}

/** The tombstone was not the author's doing: its etches are what they were. @throws SealBroken, and nothing is changed */
export async function giveBack(db: Db, keyring: Keyring, uid: Buffer): Promise<number> {
  let given = 0;
  for (const { etch_id: id } of await listWithheld(db, uid)) {
    await db.tx(async (tx) => {
      const held = await takeWithheld(tx, id);
      if (!held) return;
      const { parts, status } = held;
      const open = parts && status === 'revealed' ? openParts(keyring, id, parts) : null;
      await putBack(tx, held, open ?? (parts && { sealed: parts }));
      await reindex(tx, id);
      given++;
    });
  }
  return given;
}

/** What is withheld becomes what it is answered as: erased, named by the ledger, its tombstone queued for the chain. */
export async function eraseWithheld(db: Db, uid: Buffer | null): Promise<number> {
  let erased = 0;
  for (const { etch_id: id } of await listWithheld(db, uid)) {
    if (await db.tx((tx) => eraseHeld(tx, id))) erased++;
  }
  return erased;
}

/** false: it is not withheld (any more). */
export async function eraseHeld(tx: Tx, id: string, takenDown: string | null = null): Promise<boolean> {
  const held = await takeWithheld(tx, id);
  if (!held) return false;
  await writeTombstone(tx, id, held.retracted_at, takenDown);
  await hardenFingerprints(tx, held.user_id, id);
  await queueEvents(tx, 'etch.retracted', [id]);
  return true;
}
