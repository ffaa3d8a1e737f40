import sql from 'sql-template-tag';
import type { Tx } from '../db/db.ts';
import type { HiddenFields } from '../etches/row.ts';

export interface LockedEtch {
  id: string;
  user_id: string;
  mode: 'instant' | 'delayed';
  status: 'sealed' | 'revealed' | 'retracted';
  created_at: string;
  reveal_at: string | null;
  revealed_at: string | null;
  sealed: Buffer | null;
}

const LOCKED = sql`id, user_id, mode, status, created_at, reveal_at, revealed_at, sealed`;

export async function lockEtch(tx: Tx, id: string): Promise<LockedEtch | undefined> {
  const [row] = await tx.query<LockedEtch>(sql`select ${LOCKED} from etch where id = ${id} for update`);
  return row;
}

export async function lockDueEtches(tx: Tx, now: string, most: number): Promise<LockedEtch[]> {
  return tx.query<LockedEtch>(sql`
    select ${LOCKED} from etch where status = 'sealed' and reveal_at <= ${now} and not unreadable
    order by reveal_at limit ${most} for update skip locked`);
}

export async function markUnreadable(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.query(sql`update etch set unreadable = true where id = any(${ids}::uuid[])`);
}

export async function writeRevealed(
  tx: Tx,
  revealed: readonly ({ id: string } & HiddenFields)[],
): Promise<void> {
  await tx.query(sql`
    update etch e set status = 'revealed', revealed_at = e.reveal_at, sealed = null,
      content = v.content, salt = v.salt, signature = v.signature, signature_key = v.signature_key
    from unnest(
      ${revealed.map((etch) => etch.id)}::uuid[], ${revealed.map((etch) => etch.content)}::text[],
      ${revealed.map((etch) => etch.salt)}::bytea[], ${revealed.map((etch) => etch.signature)}::bytea[],
      ${revealed.map((etch) => etch.signature_key)}::text[]) as v (id, content, salt, signature, signature_key)
    where e.id = v.id and e.status = 'sealed'`);
}

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

export async function writeTombstone(
  tx: Tx,
  id: string,
  at: string,
  takenDown: string | null,
): Promise<void> {
  await tx.query(sql`insert into anchor_job (kind, etch_id, created_at) values (1, ${id}, ${at})`);
  await tx.query(sql`
    insert into erasure (etch_id, hash, retracted_at, taken_down)
    select id, hash, retracted_at, ${takenDown} from etch where id = ${id}
    on conflict do nothing`);
}
