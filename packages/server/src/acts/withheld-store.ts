import sql from 'sql-template-tag';
import type { Queryable, Tx } from '../db/db.ts';
import type { HiddenFields } from '../etches/row.ts';
import type { LockedEtch } from './change-store.ts';

export type LiveEtch = LockedEtch & {
  status: 'sealed' | 'revealed';
  content: string | null;
  salt: Buffer | null;
  signature: Buffer | null;
  signature_key: string | null;
};

export async function lockLiveEtch(tx: Tx, id: string): Promise<LiveEtch | undefined> {
  const [row] = await tx.query<LiveEtch>(sql`
    select id, user_id, mode, status, created_at, reveal_at, revealed_at, sealed, content, salt, signature, signature_key
    from etch where id = ${id} and status <> 'retracted' for update`);
  return row;
}

export async function moveToWithheld(
  tx: Tx,
  { id, status, revealed_at }: LiveEtch,
  apart: { uid: Buffer; parts: Buffer | null; at: string; revealedAt: string | null },
): Promise<void> {
  await tx.query(sql`
    insert into withheld (etch_id, uid, status, revealed_at, parts)
    values (${id}, ${apart.uid}, ${status}, ${revealed_at}, ${apart.parts})`);
  await tx.query(sql`
    update etch set status = 'retracted', retracted_at = ${apart.at}, revealed_at = ${apart.revealedAt},
      sealed = null, content = null, salt = null, signature = null, signature_key = null
    where id = ${id}`);
}

export interface Withheld {
  etch_id: string;
  user_id: string;
  uid: Buffer;
  status: 'sealed' | 'revealed';
  revealed_at: string | null;
  retracted_at: string;
  parts: Buffer | null;
}

export async function listWithheld(
  db: Queryable,
  uid: Buffer | null = null,
): Promise<Pick<Withheld, 'etch_id' | 'uid'>[]> {
  return db.query(sql`
    select etch_id, uid from withheld where ${uid}::bytea is null or uid = ${uid} order by withheld_at, etch_id`);
}

export async function takeWithheld(tx: Tx, id: string): Promise<Withheld | undefined> {
  const [row] = await tx.query<Withheld>(sql`
    select w.etch_id, e.user_id, w.uid, w.status, w.revealed_at, e.retracted_at, w.parts
    from withheld w join etch e on e.id = w.etch_id where w.etch_id = ${id} for update`);
  if (row) await tx.query(sql`delete from withheld where etch_id = ${id}`);
  return row;
}

/** The text stays encrypted if the etch is sealed. */
export async function putBack(
  tx: Tx,
  { etch_id: id, status, revealed_at }: Withheld,
  held: { sealed: Buffer } | HiddenFields | null,
): Promise<void> {
  const sealed = held && 'sealed' in held ? held.sealed : null;
  const open = held && 'content' in held ? held : null;
  await tx.query(sql`
    update etch set status = ${status}, retracted_at = null, revealed_at = ${revealed_at}, sealed = ${sealed},
      content = ${open?.content ?? null}, salt = ${open?.salt ?? null}, signature = ${open?.signature ?? null},
      signature_key = ${open?.signature_key ?? null}
    where id = ${id}`);
}
