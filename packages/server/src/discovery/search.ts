// Search over etches, accounts and challenges: reads the request, asks the stores, and pages the result.
import { ETCH_STATUSES, isTopicId, SEARCH_SORTS, type TopicId } from '@svc/contract';
import { numberedPage } from '../challenges/list-store.ts';
import type { Queryable } from '../db/db.ts';
import { findEtches } from '../etches/store.ts';
import { etchViews } from '../etches/view.ts';
import { readList, type SearchDependencies } from './search-db.ts';
import { findDirectly, findEtchIds, questionOf } from './find-etches.ts';
import {
  type EtchFilter,
  findFollowedAccounts,
  type SearchHits,
  type SearchTerm,
  type Status,
  toSearchTerm,
  withoutAt,
} from './search-store.ts';
import { badField, Failure } from '../platform/failure.ts';

interface SearchRequest {
  q?: string;
  category?: string;
  status?: string;
  sort?: string;
  following?: string;
  page?: string;
  limit?: string;
}

type SearchSort = (typeof SEARCH_SORTS)[number];

interface SearchQuery {
  categories: TopicId[];
  statuses: Status[];
  q: string | null;
  sort: SearchSort;
  following: boolean;
}

export const PAGE_LIMIT = 30;

function readSearch(request: SearchRequest, isSignedIn: boolean): SearchQuery {
  const q = withoutAt(request.q);
  const following = request.following === '1';
  if (following && !isSignedIn) {
    throw new Failure(
      'unauthorized',
      '`following=1` requires credentials: send `Authorization: Bearer <API key>`',
    );
  }
  const statuses = listOf(request.status);
  if (!statuses.every(isStatus)) throw badField('status', `must be of ${ETCH_STATUSES.join(', ')}`);
  const categories = listOf(request.category);
  if (!categories.every(isTopicId)) throw new Failure('not_found', 'there is no topic with this id');
  return { categories, statuses, q, sort: sortOf(request.sort, q), following };
}

export const listOf = (text: string | undefined): string[] =>
  [...new Set((text ?? '').split(',').map((word) => word.trim()))].filter((word) => word !== '');

function sortOf(sort: string | undefined, q: string | null): SearchSort {
  const fallback = q === null ? 'newest' : 'best';
  const known = SEARCH_SORTS.find((candidate) => candidate === sort);
  return known === undefined || (known === 'best' && q === null) ? fallback : known;
}

function isStatus(word: string): word is Status {
  return (ETCH_STATUSES as readonly string[]).includes(word);
}

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
  const range = { offset: (number - 1) * limit, limit };
  const now = clock.now();
  const term = query.q === null ? undefined : toSearchTerm(query.q);
  const run = <T>(work: (db: Queryable, filter: EtchFilter) => Promise<T>): Promise<T> =>
    searchDb.run(query.q !== null, async (db) => {
      const users =
        query.following && callerId !== undefined ? await findFollowedAccounts(db, callerId) : undefined;
      return work(db, { term, categories: query.categories, statuses: query.statuses, users });
    });
  const tryAtOnce = async (db: Queryable, filter: EtchFilter & { term: SearchTerm }) => {
    // A known total allows a cheaper way.
    if (known.get(questionOf(filter)) !== undefined) return undefined;
    const found = await findDirectly(db, filter, query.sort, range, freshness.behind(now));
    return typeof found === 'string' ? found : readRows(db, found);
  };
  const find = async (): Promise<Page> => {
    const firstTry = term && (await run((db, filter) => tryAtOnce(db, { ...filter, term })));
    if (typeof firstTry === 'object') return firstTry;
    if (firstTry !== 'many') await freshness(now);
    return run(async (db, filter) =>
      readRows(db, await findEtchIds(db, filter, query.sort, range, known, firstTry === 'many')),
    );
  };
  const { total, rows } = query.q !== null && !term ? { total: 0, rows: [] } : await find();
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

const readRows = async (db: Queryable, { total, ids }: SearchHits): Promise<Page> => ({
  total,
  rows: ids.length > 0 ? await findEtches(db, ids) : [],
});
