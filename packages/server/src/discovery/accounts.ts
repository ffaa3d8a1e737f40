import { ACCOUNT_SORTS, type FoundAccount, isTopicId, type TopicId } from '@svc/contract';
import type { Sql } from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';
import { Failure } from '../platform/failure.ts';
import { isVerified } from '../identity/caller.ts';
import { NOT_BEHIND } from '../search-index/names-store.ts';
import {
  type AccountsFound,
  type AccountsWanted,
  type AccountSort,
  findByHandle,
  findByTopics,
  findByWords,
  type FoundAccountRow,
} from './account-store.ts';
import { readList, type SearchDependencies } from './search-db.ts';
import { listOf, numberedPage, PAGE_LIMIT } from './search.ts';

interface Query {
  q: string | null;
  categories: TopicId[];
  sort: AccountSort;
}

export function searchAccounts(
  from: SearchDependencies,
  callerId: string | undefined,
  request: { q?: string; category?: string; sort?: string; page?: string },
) {
  const query: Query = {
    q: request.q === undefined || request.q.trim() === '' ? null : request.q,
    categories: listOf(request.category).filter(isTopicId),
    sort: ACCOUNT_SORTS.find((sort) => sort === request.sort) ?? 'best',
  };
  if (query.q === null && query.categories.length === 0) {
    throw new Failure(
      'bad_request',
      'give `q` (words, or @ and the beginning of a handle) or a known `category`',
    );
  }
  return readList(from, callerId, (dependencies) => page(dependencies, query, Number(request.page ?? 1)));
}

async function page({ searchDb, freshness, clock, shows }: SearchDependencies, query: Query, number: number) {
  const now = clock.now();
  const stretch = { offset: (number - 1) * PAGE_LIMIT, limit: PAGE_LIMIT };
  const search = (behind: Sql) =>
    searchDb.ask(query.q !== null, (db) => find(db, query.q, { ...query, stretch, behind }));
  const firstTry = await search(freshness.behind(now));
  if (firstTry.behind) await freshness(now);
  const { total, accounts } = firstTry.behind ? await search(NOT_BEHIND) : firstTry;
  shows?.({ accounts });
  return {
    query,
    accounts: accounts.map(foundAccountView),
    page: numberedPage(number, total, PAGE_LIMIT),
  };
}

function find(db: Queryable, q: string | null, wanted: AccountsWanted): Promise<AccountsFound> {
  if (q === null) return findByTopics(db, wanted);
  const handle = /^@(.+)$/su.exec(q.trim())?.[1];
  return handle === undefined ? findByWords(db, q, wanted) : findByHandle(db, handle, wanted);
}

function foundAccountView(row: FoundAccountRow): FoundAccount {
  return {
    user_id: row.id,
    username: row.username,
    display_name: row.display_name,
    kind: row.kind,
    verified: isVerified(row),
    social_handle: row.social_handle,
    match_count: row.match_count,
    counts: {
      total: row.total,
      active: row.total - row.retracted,
      revealed: row.revealed,
      retracted: row.retracted - row.taken_down,
      ...(row.taken_down > 0 && { taken_down: row.taken_down }),
      sealed_pending_reveal: row.sealed,
    },
  };
}
