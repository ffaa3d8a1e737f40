import type { Queryable } from '../db/db.ts';
import { findEtches } from '../etches/store.ts';
import { etchViews } from '../etches/view.ts';
import { findFollowedAccounts } from './account-store.ts';
import type { SearchDependencies } from './dependencies.ts';
import { findAtOnce, findEtchIds, questionOf } from './find.ts';
import { type Needle, toNeedle } from './needle.ts';
import { readList } from './on-standby.ts';
import {
  numberedPage,
  PAGE_LIMIT,
  readSearch,
  type SearchQuery,
  type SearchRequest,
} from './search-request.ts';
import type { EtchFilter, Found } from './search-store.ts';

export function searchEtches(from: SearchDependencies, callerId: string | undefined, request: SearchRequest) {
  const query = readSearch(request, callerId !== undefined);
  return readList(from, callerId, (dependencies) => search(dependencies, callerId, request, query));
}

async function search(
  { searchDb, freshness, clock, known, view, shows }: SearchDependencies,
  callerId: string | undefined,
  request: SearchRequest,
  query: SearchQuery,
) {
  const number = Number(request.page ?? 1);
  const limit = Number(request.limit ?? PAGE_LIMIT);
  const stretch = { offset: (number - 1) * limit, limit };
  const now = clock.now();
  const needle = query.q === null ? undefined : toNeedle(query.q);
  const run = <T>(work: (db: Queryable, filter: EtchFilter) => Promise<T>): Promise<T> =>
    searchDb.run(query.q !== null, async (db) => {
      const users =
        query.following && callerId !== undefined ? await findFollowedAccounts(db, callerId) : undefined;
      return work(db, { needle, categories: query.categories, statuses: query.statuses, users });
    });
  const tryAtOnce = async (db: Queryable, filter: EtchFilter & { needle: Needle }) => {
    // A known total allows a cheaper way.
    if (known.get(questionOf(filter)) !== undefined) return undefined;
    const found = await findAtOnce(db, filter, query.sort, stretch, freshness.behind(now));
    return typeof found === 'string' ? found : readRows(db, found);
  };
  const find = async (): Promise<Page> => {
    const firstTry = needle && (await run((db, filter) => tryAtOnce(db, { ...filter, needle })));
    if (typeof firstTry === 'object') return firstTry;
    if (firstTry !== 'many') await freshness(now);
    return run(async (db, filter) =>
      readRows(db, await findEtchIds(db, filter, query.sort, stretch, known, firstTry === 'many')),
    );
  };
  const { total, rows } = query.q !== null && !needle ? { total: 0, rows: [] } : await find();
  shows?.({ etches: rows.filter((row) => row !== undefined) });
  return {
    query,
    etches: await etchViews(rows, now, view),
    page: { ...numberedPage(number, total, limit), limit },
  };
}

interface Page {
  total: number;
  rows: Awaited<ReturnType<typeof findEtches>>;
}

async function readRows(db: Queryable, { total, ids }: Found): Promise<Page> {
  return { total, rows: ids.length > 0 ? await findEtches(db, ids) : [] };
}
