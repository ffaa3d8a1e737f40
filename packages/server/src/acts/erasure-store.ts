import sql from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';
import type { DescriptionTakedown } from './take-down-store.ts';

export interface Erasure {
  etch_id: string;
  hash: string;
  retracted_at: string;
  /** the operator's reason; absent for a retraction */
  taken_down?: string;
}

export type ErasureLine = Erasure | DescriptionTakedown;

export interface ErasurePlace {
  writtenAt: string;
  id: string;
}

interface LineRow {
  id: string;
  hash: string | null;
  at: string;
  reason: string | null;
  target: DescriptionTakedown['target'] | null;
  written_at: string;
}

export async function listErasures(
  db: Queryable,
  after: ErasurePlace | { since: string },
  limit: number,
): Promise<(ErasureLine & { place: ErasurePlace })[]> {
  const where =
    'since' in after
      ? sql`written_at >= ${after.since}::timestamptz`
      : sql`(written_at, id) > (${after.writtenAt}::timestamptz, ${after.id}::uuid)`;
  const rows = await db.query<LineRow>(sql`
    select * from (
      select etch_id as id, encode(hash, 'hex') as hash, retracted_at as at, taken_down as reason, null::text as target, written_at
      from erasure
      union all select target_id, null, taken_down_at, reason, target, written_at from description_takedown
    ) line where ${where} order by written_at, id limit ${limit}`);
  return rows.map((row) => ({ ...lineOf(row), place: { writtenAt: row.written_at, id: row.id } }));
}

function lineOf({ id, hash, at, reason, target }: LineRow): ErasureLine {
  if (target !== null) return { target, target_id: id, reason: reason!, taken_down_at: at };
  return { etch_id: id, hash: hash!, retracted_at: at, ...(reason !== null && { taken_down: reason }) };
}

export async function findUnerased(
  db: Queryable,
  ids: readonly string[],
): Promise<{ id: string; hash: string }[]> {
  return db.query(sql`
    select id, encode(hash, 'hex') as hash from etch where id = any(${ids}::uuid[])
      and (status <> 'retracted' or exists (select from withheld w where w.etch_id = etch.id))`);
}

export async function insertErasures(db: Queryable, erasures: readonly Erasure[]): Promise<void> {
  await db.query(sql`
    insert into erasure (etch_id, hash, retracted_at, taken_down)
    select etch_id, decode(hash, 'hex'), retracted_at, taken_down
    from unnest(${erasures.map((one) => one.etch_id)}::uuid[], ${erasures.map((one) => one.hash)}::text[],
      ${erasures.map((one) => one.retracted_at)}::timestamptz[], ${erasures.map((one) => one.taken_down ?? null)}::text[])
      as e (etch_id, hash, retracted_at, taken_down)
    on conflict do nothing`);
}
