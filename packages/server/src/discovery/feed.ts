import { toTime } from '../db/clock.ts';
import { findEtches } from '../etches/store.ts';
import { etchViews } from '../etches/view.ts';
import { type FeedPlace, isPersonalized, openFeed, readFeed } from './feed-store.ts';
import { readList } from './on-standby.ts';
import type { SearchDependencies } from './dependencies.ts';

/** `next` contains times of sealed etches: encrypt it for the client. */
export function readFeedPage(from: SearchDependencies, callerId: string, wanted: Wanted) {
  return readList(from, callerId, (dependencies) => page(dependencies, callerId, wanted));
}

interface Wanted {
  place: FeedPlace | undefined;
  limit: number;
}

async function page(
  { searchDb, freshness, clock, view, shows }: SearchDependencies,
  callerId: string,
  { place, limit }: Wanted,
) {
  const now = clock.now();
  await freshness(now);
  return searchDb.run(false, async (db) => {
    const from = place ?? (await openFeed(db, toTime(now)));
    const ranked = await readFeed(db, callerId, from, limit + 1);
    const shown = ranked.slice(0, limit).map(({ id }) => id);
    const rows = await findEtches(db, shown);
    shows?.({ etches: rows.filter((row) => row !== undefined) });
    const last = ranked.length > limit ? ranked[limit - 1] : undefined;
    const next: FeedPlace | undefined = last && { ...from, after: last };
    return {
      personalized: await isPersonalized(db, callerId),
      etches: await etchViews(rows, now, view),
      next,
    };
  });
}
