import sql from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';

/** What was erased: enough to erase it again, and nothing of what it said. */
export interface Erasure {
  etch_id: string;
  /** hex */
  hash: string;
  /** API time */
  retracted_at: string;
  /** why an operator took it down; absent when its author took it back */
  taken_down?: string;
}

/** Where a page of the ledger ends. */
export interface ErasurePlace {
  writtenAt: string;
  etchId: string;
}

/** Erasures in the order in which they were written down. */
export async function listErasures(
  db: Queryable,
  after: ErasurePlace | { since: string },
  limit: number,
): Promise<(Erasure & { place: ErasurePlace })[]> {
  const where =
    'since' in after
      ? sql`written_at >= ${after.since}::timestamptz`
      : sql`(written_at, etch_id) > (${after.writtenAt}::timestamptz, ${after.etchId}::uuid)`;
  const rows = await db.query<Required<Erasure> & { written_at: string; taken_down: string | null }>(sql`
    select etch_id, encode(hash, 'hex') as hash, retracted_at, taken_down, written_at from erasure
    where ${where} order by written_at, etch_id limit ${limit}`);
  return rows.map(({ written_at: writtenAt, taken_down, ...erasure }) => ({
    ...erasure,
    ...(taken_down !== null && { taken_down }),
    place: { writtenAt, etchId: erasure.etch_id },
  }));
}

/** Etches of the ledger that still stand, or are withheld only, with their hashes (hex). */
export async function findStanding(
  db: Queryable,
  ids: readonly string[],
): Promise<{ id: string; hash: string }[]> {
  return db.query(sql`
    select id, encode(hash, 'hex') as hash from etch where id = any(${ids}::uuid[])
      and (status <> 'retracted' or exists (select from withheld w where w.etch_id = etch.id))`);
}

/** Takes over what another copy of the ledger holds, also of etches that this database does not have. */
export async function insertErasures(db: Queryable, erasures: readonly Erasure[]): Promise<void> {
  await db.query(sql`
    insert into erasure (etch_id, hash, retracted_at, taken_down)
    select etch_id, decode(hash, 'hex'), retracted_at, taken_down
    from unnest(${erasures.map((one) => one.etch_id)}::uuid[], ${erasures.map((one) => one.hash)}::text[],
      ${erasures.map((one) => one.retracted_at)}::timestamptz[], ${erasures.map((one) => one.taken_down ?? null)}::text[])
      as e (etch_id, hash, retracted_at, taken_down)
    on conflict do nothing`);
}
