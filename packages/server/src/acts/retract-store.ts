import { hardenFingerprints } from '../accounts/guesses.ts';
import { type Clock, toTime } from '../db/clock.ts';
import type { Db, Tx } from '../db/db.ts';
import { Failure } from '../platform/failure.ts';
import { statusAt } from '../etches/row.ts';
import { queueEvents } from '../events/event-store.ts';
import type { Caller } from '../identity/caller.ts';
import { indexRetracted, reindex } from '../search-index/index-store.ts';
import {
  listWithheld,
  type LiveEtch,
  type LockedEtch,
  lockEtch,
  lockLiveEtch,
  moveToWithheld,
  putBack,
  takeWithheld,
  writeRetracted,
  writeTombstone,
} from './change-store.ts';
import { decryptHidden, encryptHidden } from '../etches/hidden-fields.ts';
import type { Keyring } from '../platform/secrets/keyring.ts';

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
export async function erase(tx: Tx, row: LockedEtch, at: number, takenDown: string | null = null) {
  await writeRetracted(tx, row.id, toTime(at), revealedAtAfterRetraction(row, at), takenDown);
  await hardenFingerprints(tx, row.user_id, row.id);
  await queueEvents(tx, 'etch.retracted', [row.id]);
  await indexRetracted(tx, row.id);
}

/** A time would publish an instant etch's hidden `created_at` (docs/specification.md#etch). */
function revealedAtAfterRetraction(row: Pick<LockedEtch, 'mode' | 'status' | 'reveal_at'>, now: number) {
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

export async function eraseWithheldEtch(tx: Tx, id: string, takenDown: string | null = null) {
  const held = await takeWithheld(tx, id);
  if (!held) return false;
  await writeTombstone(tx, id, held.retracted_at, takenDown);
  await hardenFingerprints(tx, held.user_id, id);
  await queueEvents(tx, 'etch.retracted', [id]);
  return true;
}
