import { ACCOUNT_SORTS, type FoundAccount, isTopicId, type TopicId } from '@svc/contract';
import sql, { empty, join, type Sql } from 'sql-template-tag';
import { countsView } from '../accounts/view.ts';
import { numberedPage } from '../challenges/list-store.ts';
import type { Queryable } from '../db/db.ts';
import { type AuthorColumns, isVerified } from '../identity/caller.ts';
import { Failure } from '../platform/failure.ts';
import { NOT_BEHIND } from '../search-index/names-store.ts';
import { readList, type SearchDependencies } from './search-db.ts';
import {
  conditions,
  NO_FILTER,
  type SearchTerm,
  relevance,
  type ResultRange,
  toSearchTerm,
  whereSql,
} from './search-store.ts';
import { listOf, PAGE_LIMIT } from './search.ts';

interface Query {
  q: string | null;
  categories: TopicId[];
  sort: (typeof ACCOUNT_SORTS)[number];
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
  return readList(from, callerId, (dependencies) => readPage(dependencies, query, Number(request.page ?? 1)));
}

async function readPage(
  { searchDb, freshness, clock, shows }: SearchDependencies,
  query: Query,
  number: number,
) {
  const now = clock.now();
  const range = { offset: (number - 1) * PAGE_LIMIT, limit: PAGE_LIMIT };
  const search = (behind: Sql) =>
    searchDb.ask(query.q !== null, (db) => find(db, { ...query, range, behind }));
  const firstTry = await search(freshness.behind(now));
  if (firstTry.behind) await freshness(now);
  const { total, accounts } = firstTry.behind ? await search(NOT_BEHIND) : firstTry;
  shows?.({ accounts });
  return {
    query,
    accounts: accounts.map(foundAccount),
    page: numberedPage(number, total, PAGE_LIMIT),
  };
}

function find(db: Queryable, wanted: AccountsWanted): Promise<AccountsFound> {
  const { q } = wanted;
  if (q === null) return findByTopics(db, wanted);
  const handle = handleIn(q);
  const term = toSearchTerm(handle ?? q);
  if (!term) return Promise.resolve({ total: 0, accounts: [], behind: false });
  return handle === undefined ? findByWords(db, q, term, wanted) : findByHandle(db, term, wanted);
}

export const handleIn = (q: string): string | undefined => /^@(.+)$/su.exec(q.trim())?.[1];

function foundAccount(row: FoundAccountRow): FoundAccount {
  const { id, username, display_name, kind, social_handle, match_count } = row;
  return {
    user_id: id,
    username,
    display_name,
    kind,
    verified: isVerified(row),
    social_handle,
    match_count,
    counts: countsView(row),
  };
}

interface FoundAccountRow extends AuthorColumns {
  id: string;
  match_count: number;
  total: number;
  sealed: number;
  retracted: number;
  taken_down: number;
}

interface AccountsFound {
  total: number;
  accounts: FoundAccountRow[];
  /** the index lacks public texts, so the caller searches again */
  behind: boolean;
}

interface AccountsWanted extends Query {
  range: ResultRange;
  behind: Sql;
}

/** A matching name scores like ten descriptions, an equal one like twenty. */
const NAME = 1_000;
const MOST_WORDS = 32;

function findByWords(
  db: Queryable,
  q: string,
  term: SearchTerm,
  wanted: AccountsWanted,
): Promise<AccountsFound> {
  const { categories } = wanted;
  const filter = { ...NO_FILTER, term, categories };
  return page(
    db,
    sql`
    matching as (
      select s.user_id, count(*) as matches, sum(${relevance(term)}) as score
      from etch_search s ${whereSql(conditions(filter))} group by s.user_id
    ), named as (
      select n.user_id, case when ${term.folded} in (n.username, n.handle) then ${2 * NAME}::integer else ${NAME}::integer end as score
      from account_search n where ${join([...nameConditions(q), ...etchedIn(categories)], ' and ')}
    ), found as materialized (
      select user_id, coalesce(m.matches, 0)::integer as matches, coalesce(m.score, 0) + coalesce(n.score, 0) as score
      from matching m full join named n using (user_id)
    )`,
    wanted,
  );
}

function findByHandle(db: Queryable, term: SearchTerm, wanted: AccountsWanted): Promise<AccountsFound> {
  const { categories } = wanted;
  const { folded } = term;
  const fits = handleBegins(term);
  return page(
    db,
    sql`
    found as materialized (
      select n.user_id, ${etchesIn(categories)} as matches, (${folded} in (n.username, coalesce(n.handle, '')))::integer as score
      from account_search n where ${join([fits, ...etchedIn(categories)], ' and ')}
    )`,
    wanted,
  );
}

export function handleBegins({ folded }: SearchTerm): Sql {
  const beginning = `${folded}%`;
  return sql`(n.username like ${beginning} or n.handle like ${beginning})`;
}

function findByTopics(db: Queryable, wanted: AccountsWanted): Promise<AccountsFound> {
  const { categories } = wanted;
  const only = categories.length === 1;
  const found = only
    ? sql`found as not materialized (
        select user_id, total as matches, total as score from account_count where category_id = ${categories[0]}
      )`
    : sql`found as materialized (
        select user_id, sum(total)::integer as matches, sum(total) as score
        from account_count where category_id = any(${categories}::text[]) group by user_id
      )`;
  return page(db, found, wanted, only ? sql`f.score desc, f.user_id` : undefined);
}

/** `found` selects user_id, matches and score; `best` overrides the order. */
async function page(
  db: Queryable,
  found: Sql,
  { sort, range: { offset, limit }, behind }: AccountsWanted,
  best?: Sql,
): Promise<AccountsFound> {
  const all = sql`join account_count c on c.user_id = f.user_id and c.category_id = '*'`;
  const [joins, order] = {
    best: best ? [empty, best] : [sql`left ${all}`, sql`f.score desc, coalesce(c.total, 0) desc, f.user_id`],
    most: [sql`left ${all}`, sql`coalesce(c.total, 0) desc, f.user_id`],
    newest: [sql`join account_search a on a.user_id = f.user_id`, sql`a.created_at desc, f.user_id desc`],
  }[sort] as [Sql, Sql];
  const rows = await db.query<{ everybody: number; id: string | null; behind: boolean }>(sql`
    with ${found}, shown as (
      select f.user_id, f.matches, row_number() over (order by ${order}) as place
      from found f ${joins} order by ${order} offset ${offset}::bigint limit ${limit}::bigint
    )
    select t.everybody, t.behind, a.id, a.kind, a.username, a.display_name, a.agent_domain, a.operator_id, a.social_handle, a.social_verified_at,
      p.matches as match_count, coalesce(c.total, 0) as total, coalesce(c.sealed, 0) as sealed,
      coalesce(c.retracted, 0) as retracted,
      (select count(*) from erasure r join etch t on t.id = r.etch_id where r.taken_down is not null and t.user_id = a.id) as taken_down
    from (select count(*)::integer as everybody, ${behind} as behind from found) t
    left join (shown p join account a on a.id = p.user_id left join account_count c on c.user_id = a.id and c.category_id = '*') on true
    order by p.place`);
  return {
    total: rows[0]!.everybody,
    behind: rows[0]!.behind,
    accounts: rows.filter((row) => row.id !== null) as unknown as FoundAccountRow[],
  };
}

export function nameConditions(q: string): Sql[] {
  const words = [...new Set(q.split(/\s+/u))].filter((word) => word !== '');
  if (words.length === 0 || words.length > MOST_WORDS) return [sql`false`];
  return words.map((word) => {
    const term = toSearchTerm(word)!;
    return term.isLong ? sql`strpos(n.names, ${term.folded}) > 0` : sql`n.names like ${term.pattern}`;
  });
}

export function etchedIn(categories: readonly string[]): Sql[] {
  if (categories.length === 0) return [];
  return [
    sql`exists (select 1 from account_count c where c.user_id = n.user_id and c.category_id = any(${categories}::text[]))`,
  ];
}

function etchesIn(categories: readonly string[]): Sql {
  if (categories.length === 0) return sql`0`;
  return sql`(select coalesce(sum(c.total), 0)::integer from account_count c
    where c.user_id = n.user_id and c.category_id = any(${categories}::text[]))`;
}
