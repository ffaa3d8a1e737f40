import type { Clock } from '../db/clock.ts';
import type { Db } from '../db/db.ts';
import { findEtches } from '../etches/store.ts';
import { etchView, type ViewContext } from '../etches/view.ts';
import { findFollowedAccounts } from './follow-store.ts';
import { findEtchIds } from './find.ts';
import type { Freshness } from './indexer.ts';
import { toNeedle } from './needle.ts';
import {
  numberedPage,
  PAGE_LIMIT,
  readSearch,
  type SearchAsked,
  type SearchRequest,
} from './search-request.ts';
import type { Found } from './search-store.ts';
import type { KnownTotals } from './known-totals.ts';
import type { SearchDb } from './search-db.ts';

export interface SearchDependencies {
  db: Db;
  searchDb: SearchDb;
  freshness: Freshness;
  clock: Clock;
  /** shared by the searches of this process */
  known: KnownTotals;
  view: ViewContext;
}

/** `GET /search`: literal, by public text only, with an exact total. @throws Failure */
export async function searchEtches(
  dependencies: SearchDependencies,
  callerId: string | undefined,
  request: SearchRequest,
) {
  const { db, freshness, clock, view } = dependencies;
  const asked = readSearch(request, callerId !== undefined);
  const number = Number(request.page ?? 1);
  const limit = Number(request.limit ?? PAGE_LIMIT);
  const now = clock.now();
  await freshness(now);
  const { total, ids } = await find(dependencies, asked, callerId, { offset: (number - 1) * limit, limit });
  const rows = (await findEtches(db, ids)).filter((row) => row !== undefined);
  return {
    query: asked,
    etches: rows.map((row) => etchView(row, now, view)),
    page: { ...numberedPage(number, total, limit), limit },
  };
}

async function find(
  { db, searchDb, known }: SearchDependencies,
  asked: SearchAsked,
  callerId: string | undefined,
  stretch: { offset: number; limit: number },
): Promise<Found> {
  const needle = asked.q === null ? undefined : toNeedle(asked.q);
  if (asked.q !== null && !needle) return { total: 0, ids: [] };
  const users =
    asked.following && callerId !== undefined ? await findFollowedAccounts(db, callerId) : undefined;
  const filter = { needle, categories: asked.categories, statuses: asked.statuses, users };
  return searchDb.run(needle !== undefined, (reading) =>
    findEtchIds(reading, filter, asked.sort, stretch, known),
  );
}
