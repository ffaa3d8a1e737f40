import sql from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';

/** What was erased: enough to erase it again, and nothing of what it said. */
export interface Erasure {
  etch_id: string;
  /** hex */
  hash: string;
  /** API time */
  retracted_at: string;
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
  const rows = await db.query<Erasure & { written_at: string }>(sql`
    select etch_id, encode(hash, 'hex') as hash, retracted_at, written_at from erasure
    where ${where} order by written_at, etch_id limit ${limit}`);
  return rows.map(({ written_at: writtenAt, ...erasure }) => ({
    ...erasure,
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
    insert into erasure (etch_id, hash, retracted_at)
    select etch_id, decode(hash, 'hex'), retracted_at
    from unnest(${erasures.map((one) => one.etch_id)}::uuid[], ${erasures.map((one) => one.hash)}::text[],
      ${erasures.map((one) => one.retracted_at)}::timestamptz[]) as e (etch_id, hash, retracted_at)
    on conflict do nothing`);
}
