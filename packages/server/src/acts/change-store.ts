import sql from 'sql-template-tag';
import type { Queryable, Tx } from '../db/db.ts';
import type { EtchRow, HiddenFields } from '../etches/row.ts';

export type LockedEtch = Pick<
  EtchRow,
  'id' | 'user_id' | 'mode' | 'status' | 'created_at' | 'reveal_at' | 'revealed_at' | 'sealed'
>;

const LOCKED = sql`id, user_id, mode, status, created_at, reveal_at, revealed_at, sealed`;

export const lockEtch = (tx: Tx, id: string) =>
  tx.first<LockedEtch>(sql`select ${LOCKED} from etch where id = ${id} for update`);

export const lockDueEtches = (tx: Tx, now: string, most: number) =>
  tx.query<LockedEtch>(sql`
    select ${LOCKED} from etch where status = 'sealed' and reveal_at <= ${now} and not unreadable
    order by reveal_at limit ${most} for update skip locked`);

export const markUnreadable = (tx: Tx, ids: readonly string[]) =>
  tx.query(sql`update etch set unreadable = true where id = any(${ids}::uuid[])`);

export const writeRevealed = (tx: Tx, revealed: readonly ({ id: string } & HiddenFields)[]) =>
  tx.query(sql`
    update etch e set status = 'revealed', revealed_at = e.reveal_at, sealed = null,
      content = v.content, salt = v.salt, signature = v.signature, signature_key = v.signature_key
    from unnest(
      ${revealed.map((etch) => etch.id)}::uuid[], ${revealed.map((etch) => etch.content)}::text[],
      ${revealed.map((etch) => etch.salt)}::bytea[], ${revealed.map((etch) => etch.signature)}::bytea[],
      ${revealed.map((etch) => etch.signature_key)}::text[]) as v (id, content, salt, signature, signature_key)
    where e.id = v.id and e.status = 'sealed'`);

export async function writeRetracted(
  tx: Tx,
  id: string,
  at: string,
  revealedAt: string | null,
  takenDown: string | null,
): Promise<void> {
  await tx.query(sql`
    update etch set status = 'retracted', retracted_at = ${at}, revealed_at = ${revealedAt},
      sealed = null, content = null, salt = null, signature = null, signature_key = null
    where id = ${id}`);
  await writeTombstone(tx, id, at, takenDown);
}

export async function writeTombstone(tx: Tx, id: string, at: string, takenDown: string | null) {
  await tx.query(sql`insert into anchor_job (kind, etch_id, created_at) values (1, ${id}, ${at})`);
  await tx.query(sql`
    insert into erasure (etch_id, hash, retracted_at, taken_down)
    select id, hash, retracted_at, ${takenDown} from etch where id = ${id}
    on conflict do nothing`);
}

export type LiveEtch = LockedEtch & Pick<EtchRow, 'content' | 'salt' | 'signature' | 'signature_key'>;

export const lockLiveEtch = (tx: Tx, id: string) =>
  tx.first<LiveEtch>(sql`
    select id, user_id, mode, status, created_at, reveal_at, revealed_at, sealed, content, salt, signature, signature_key
    from etch where id = ${id} and status <> 'retracted' for update`);

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

interface Withheld {
  etch_id: string;
  user_id: string;
  uid: Buffer;
  status: 'sealed' | 'revealed';
  revealed_at: string | null;
  retracted_at: string;
  parts: Buffer | null;
}

export const listWithheld = (db: Queryable, uid: Buffer | null = null) =>
  db.query<Pick<Withheld, 'etch_id' | 'uid'>>(sql`
    select etch_id, uid from withheld where ${uid}::bytea is null or uid = ${uid} order by withheld_at, etch_id`);

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
