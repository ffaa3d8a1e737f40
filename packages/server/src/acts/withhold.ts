import { hardenFingerprints } from '../accounts/guesses.ts';
import type { Db, Tx } from '../db/db.ts';
import { encryptHidden, decryptHidden } from '../etches/hidden-fields.ts';
import { queueEvents } from '../events/event-store.ts';
import { indexRetracted, reindex } from '../search-index/index-store.ts';
import type { Keyring } from '../platform/secrets/keyring.ts';
import { writeTombstone } from './change-store.ts';
import { revealedAtAfterRetraction } from './retract.ts';
import {
  listWithheld,
  lockLiveEtch,
  moveToWithheld,
  putBack,
  type LiveEtch,
  takeWithheld,
} from './withheld-store.ts';

/**
 * Withholds etches with a tombstone on the chain but no retraction here, as after a restore. Answers show them as
 * retracted (docs/decisions/0018-withheld-not-erased.md).
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
      const row = await lockLiveEtch(tx, id);
      if (!row) return;
      const { uid, at } = tombstone;
      const revealedAt = revealedAtAfterRetraction(row, Date.parse(at));
      await moveToWithheld(tx, row, { uid, at, revealedAt, parts: encryptedFields(keyring, row) });
      await indexRetracted(tx, id);
      withheld++;
    });
  }
  return withheld;
}

function encryptedFields(keyring: Keyring, row: LiveEtch): Buffer | null {
  if (row.sealed) return row.sealed;
  const { content, salt, signature, signature_key } = row;
  if (content === null || salt === null) return null;
  return encryptHidden(keyring, row.id, { content, salt, signature, signature_key });
}

/** Runs for a tombstone that the authors did not cause. @throws SealBroken, then that etch stays withheld */
export async function releaseWithheld(db: Db, keyring: Keyring, uid: Buffer): Promise<number> {
  let given = 0;
  for (const { etch_id: id } of await listWithheld(db, uid)) {
    await db.tx(async (tx) => {
      const held = await takeWithheld(tx, id);
      if (!held) return;
      const { parts, status } = held;
      const open = parts && status === 'revealed' ? decryptHidden(keyring, id, parts) : null;
      await putBack(tx, held, open ?? (parts && { sealed: parts }));
      await reindex(tx, id);
      given++;
    });
  }
  return given;
}

export async function eraseWithheld(db: Db, uid: Buffer | null): Promise<number> {
  let erased = 0;
  for (const { etch_id: id } of await listWithheld(db, uid)) {
    if (await db.tx((tx) => eraseWithheldEtch(tx, id))) erased++;
  }
  return erased;
}

export async function eraseWithheldEtch(
  tx: Tx,
  id: string,
  takenDown: string | null = null,
): Promise<boolean> {
  const held = await takeWithheld(tx, id);
  if (!held) return false;
  await writeTombstone(tx, id, held.retracted_at, takenDown);
  await hardenFingerprints(tx, held.user_id, id);
  await queueEvents(tx, 'etch.retracted', [id]);
  return true;
}
