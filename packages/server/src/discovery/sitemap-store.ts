import sql, { type Sql } from 'sql-template-tag';
import { toTime } from '../db/clock.ts';
import type { Queryable } from '../db/db.ts';
import { coalesce } from '../platform/flow/coalesce.ts';
import { NOT_HIDDEN } from './feed-store.ts';
import { readList, type SearchDependencies } from './search-db.ts';

/** A fifth of the protocol's limit. */
export const ON_A_SITEMAP = 10_000;

const DAY_MS = 86_400_000;
/** Earlier days change by retractions only. */
const COUNTED_AGAIN_MS = 2 * DAY_MS;
const COUNT_HOLDS_MS = 5 * 60_000;

interface PublicDay {
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

export function createSitemaps(from: SearchDependencies) {
  const { clock } = from;
  const known = new Map<string, number>();
  let countedAt: number | undefined;

  const fresh = <T>(now: number, work: (db: Queryable) => Promise<T>): Promise<T> =>
    readList(from, undefined, async ({ searchDb, freshness }) => {
      await freshness(now);
      return searchDb.run(false, work);
    });

  async function count(): Promise<readonly PublicDay[]> {
    const now = clock.now();
    if (countedAt === undefined || Math.abs(now - countedAt) > COUNT_HOLDS_MS) {
      const first = countedAt === undefined ? 0 : Math.min(now, countedAt) - COUNTED_AGAIN_MS;
      const since = startOf(first);
      const counted = await fresh(now, (db) =>
        db.query<PublicDay>(sql`
          select day, sum(count)::bigint as count from (${bothHalves(
            ({ at, which }) => sql`
              select to_char(${at} at time zone 'UTC', 'YYYY-MM-DD') as day, count(*) as count from etch_search
              where status = 'revealed' and ${which} and ${at} >= ${since} and user_id ${NOT_HIDDEN} group by 1`,
          )}) d group by day order by day`),
      );
      for (const day of known.keys()) if (day >= since.slice(0, 10)) known.delete(day);
      for (const { day, count } of counted) known.set(day, count);
      countedAt = now;
    }
    return [...known].map(([day, count]) => ({ day, count }));
  }
  const shared = coalesce<void, readonly PublicDay[]>(
    async (asked) => {
      const days = await count();
      return asked.map(() => days);
    },
    { slots: 1, most: 1_000 },
  );

  return {
    /** Lists the oldest first; at most minutes old. */
    days: () => shared(undefined),
    async ofDay(day: string, page: number) {
      const start = Date.parse(`${day}T00:00:00.000Z`);
      const [from, to] = [toTime(start), toTime(start + DAY_MS)];
      return fresh(clock.now(), (db) =>
        db.column<string>(sql`
          select etch_id from (${bothHalves(
            ({ at, which }) => sql`
              select etch_id, ${at} as at from etch_search
              where status = 'revealed' and ${which} and ${at} >= ${from} and ${at} < ${to} and user_id ${NOT_HIDDEN}`,
          )}) p order by at, etch_id limit ${ON_A_SITEMAP} offset ${(page - 1) * ON_A_SITEMAP}`),
      );
    },
  };
}

const startOf = (time: number): string => toTime(time - (time % DAY_MS));
