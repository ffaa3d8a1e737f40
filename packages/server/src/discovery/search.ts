import type { Clock } from '../db/clock.ts';
import type { Queryable } from '../db/db.ts';
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
import type { Found, Stretch } from './search-store.ts';
import type { KnownTotals } from './known-totals.ts';
import type { SearchDb } from './search-db.ts';

export interface SearchDependencies {
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
  const { searchDb, freshness, clock, view } = dependencies;
  const asked = readSearch(request, callerId !== undefined);
  const number = Number(request.page ?? 1);
  const limit = Number(request.limit ?? PAGE_LIMIT);
  const now = clock.now();
  await freshness(now);
  const { total, rows } = await searchDb.run(asked.q !== null, async (db) => {
    const stretch = { offset: (number - 1) * limit, limit };
    const { total, ids } = await find(db, dependencies.known, asked, callerId, stretch);
    return { total, rows: ids.length > 0 ? await findEtches(db, ids) : [] };
  });
  return {
    query: asked,
    etches: rows.filter((row) => row !== undefined).map((row) => etchView(row, now, view)),
    page: { ...numberedPage(number, total, limit), limit },
  };
}

async function find(
  db: Queryable,
  known: KnownTotals,
  asked: SearchAsked,
  callerId: string | undefined,
  stretch: Stretch,
): Promise<Found> {
  const needle = asked.q === null ? undefined : toNeedle(asked.q);
  if (asked.q !== null && !needle) return { total: 0, ids: [] };
  const users =
    asked.following && callerId !== undefined ? await findFollowedAccounts(db, callerId) : undefined;
  const filter = { needle, categories: asked.categories, statuses: asked.statuses, users };
  return findEtchIds(db, filter, asked.sort, stretch, known);
}
