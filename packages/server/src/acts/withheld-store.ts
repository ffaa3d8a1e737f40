// Etches that the chain shows as retracted and this database does not (docs/decisions/0018-withheld-not-erased.md). The
// table `withheld` keeps their texts encrypted until the operator erases or releases them.
import sql from 'sql-template-tag';
import { hardenFingerprints } from '../accounts/guess-store.ts';
import type { Db, Queryable, Tx } from '../db/db.ts';
import { decryptHidden, encryptHidden } from '../etches/hidden-fields.ts';
import type { Keyring } from '../platform/secrets/keyring.ts';
import { indexRetracted, reindex } from '../search-index/index-store.ts';
import {
  type Erasing,
  finishErasure,
  lockEtch,
  type LockedEtch,
  revealedAtAfterRetraction,
  writeRetracted,
} from './retract-store.ts';

/** Answers show the etches as retracted from now on. */
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
