import { toTime } from '../db/clock.ts';
import { findEtches } from '../etches/store.ts';
import { etchView } from '../etches/view.ts';
import { type FeedPlace, isPersonalized, openFeed, readFeed } from './feed-store.ts';
import type { SearchDependencies } from './search.ts';

/**
 * `GET /feed`: ranked by moment and standing (docs/feed.md). `next` is where the following page begins; it is hidden from
 * the reader, for it tells times of sealed etches.
 */
export async function readFeedPage(
  { db, searchDb, freshness, clock, view }: SearchDependencies,
  callerId: string,
  { place, limit }: { place: FeedPlace | undefined; limit: number },
) {
  const now = clock.now();
  await freshness(now);
  const [from, ranked, personalized] = await searchDb.run(false, async (reading) => {
    const start = place ?? (await openFeed(reading, toTime(now)));
    return [
      start,
      await readFeed(reading, callerId, start, limit + 1),
      await isPersonalized(reading, callerId),
    ] as const;
  });
  const shown = ranked.slice(0, limit);
  const last = ranked.length > limit ? shown.at(-1) : undefined;
  const rows = await findEtches(
    db,
    shown.map(({ id }) => id),
  );
  const next: FeedPlace | undefined = last && { ...from, after: last };
  return {
    personalized,
    etches: rows.filter((row) => row !== undefined).map((row) => etchView(row, now, view)),
    next,
  };
}
