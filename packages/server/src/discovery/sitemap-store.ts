import sql, { type Sql } from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';
import { NOT_HIDDEN } from './hidden-store.ts';

export interface PublicDay {
  day: string;
  count: number;
}

/** Etches that were public at once count by creation, others by reveal; each half has an index. */
const HALVES: readonly { at: Sql; which: Sql }[] = [
  { at: sql`created_at`, which: sql`reveal_at is null` },
  { at: sql`reveal_at`, which: sql`reveal_at is not null` },
];

const bothHalves = (make: (half: (typeof HALVES)[number]) => Sql): Sql =>
  sql`(${make(HALVES[0]!)}) union all (${make(HALVES[1]!)})`;

export async function countPublicDays(db: Queryable, from: string): Promise<PublicDay[]> {
  const rows = await db.query<{ day: string; count: number | string }>(sql`
    select day, sum(count)::bigint as count from (${bothHalves(
      ({ at, which }) => sql`
        select to_char(${at} at time zone 'UTC', 'YYYY-MM-DD') as day, count(*) as count from etch_search
        where status = 'revealed' and ${which} and ${at} >= ${from} and user_id ${NOT_HIDDEN} group by 1`,
    )}) d group by day order by day`);
  return rows.map(({ day, count }) => ({ day, count: Number(count) }));
}

export async function listPublicBetween(
  db: Queryable,
  { from, to }: { from: string; to: string },
  { offset, limit }: { offset: number; limit: number },
): Promise<string[]> {
  const rows = await db.query<{ etch_id: string }>(sql`
    select etch_id from (${bothHalves(
      ({ at, which }) => sql`
        select etch_id, ${at} as at from etch_search
        where status = 'revealed' and ${which} and ${at} >= ${from} and ${at} < ${to} and user_id ${NOT_HIDDEN}`,
    )}) p order by at, etch_id limit ${limit} offset ${offset}`);
  return rows.map(({ etch_id }) => etch_id);
}
