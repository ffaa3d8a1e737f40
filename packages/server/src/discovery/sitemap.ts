import { toTime } from '../db/clock.ts';
import type { Queryable } from '../db/db.ts';
import { coalesce } from '../platform/flow/coalesce.ts';
import { readList, type SearchDependencies } from './search-db.ts';
import { countPublicDays, listPublicBetween, type PublicDay } from './feed-store.ts';

/** A fifth of the protocol's limit. */
export const ON_A_SITEMAP = 10_000;

const DAY_MS = 86_400_000;
/** Earlier days change by retractions only. */
const COUNTED_AGAIN_MS = 2 * DAY_MS;
const COUNT_HOLDS_MS = 5 * 60_000;

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
      const counted = await fresh(now, (db) => countPublicDays(db, since));
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
      const between = { from: toTime(start), to: toTime(start + DAY_MS) };
      const stretch = { offset: (page - 1) * ON_A_SITEMAP, limit: ON_A_SITEMAP };
      return fresh(clock.now(), (db) => listPublicBetween(db, between, stretch));
    },
  };
}

const startOf = (time: number): string => toTime(time - (time % DAY_MS));
