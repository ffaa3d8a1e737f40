import sql, { join, type Sql } from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';
import type { AuthorColumns } from '../identity/caller.ts';
import { conditions, type Needle, relevance, type Stretch, toNeedle, where } from './search-store.ts';
import { holds } from './challenge-store.ts';

export type AccountSort = 'best' | 'most' | 'newest';

export interface FoundAccountRow extends AuthorColumns {
  id: string;
  match_count: number;
  total: number;
  sealed: number;
  revealed: number;
  retracted: number;
  taken_down: number;
}

export interface AccountsFound {
  total: number;
  accounts: FoundAccountRow[];
  /** the index lacks public texts, so the caller searches again */
  behind: boolean;
}

export interface AccountsWanted {
  categories: readonly string[];
  sort: AccountSort;
  stretch: Stretch;
  behind: Sql;
}

/** A matching name scores like ten descriptions, an equal one like twenty. */
const NAME = 1_000;
const MOST_WORDS = 32;

export function findByWords(db: Queryable, q: string, wanted: AccountsWanted): Promise<AccountsFound> {
  const { categories } = wanted;
  const needle = toNeedle(q);
  if (!needle) return Promise.resolve({ total: 0, accounts: [], behind: false });
  const filter = { needle, categories, statuses: [], users: undefined };
  return page(
    db,
    sql`
    matching as (
      select s.user_id, count(*) as matches, sum(${relevance(needle)}) as score
      from etch_search s ${where(conditions(filter))} group by s.user_id
    ), named as (
      select n.user_id, case when ${needle.folded} in (n.username, n.handle) then ${2 * NAME}::integer else ${NAME}::integer end as score
      from account_search n where ${join([...nameConditions(q), ...etchedIn(categories)], ' and ')}
    ), found as materialized (
      select user_id, coalesce(m.matches, 0)::integer as matches, coalesce(m.score, 0) + coalesce(n.score, 0) as score
      from matching m full join named n using (user_id)
    )`,
    wanted,
  );
}

export function findByHandle(db: Queryable, handle: string, wanted: AccountsWanted): Promise<AccountsFound> {
  const { categories } = wanted;
  const needle = toNeedle(handle);
  if (!needle) return Promise.resolve({ total: 0, accounts: [], behind: false });
  const { folded } = needle;
  const fits = handleBegins(needle);
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

function handleBegins({ folded }: Needle): Sql {
  const beginning = `${folded}%`;
  return sql`(n.username like ${beginning} or n.handle like ${beginning})`;
}

export function findByTopics(db: Queryable, wanted: AccountsWanted): Promise<AccountsFound> {
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
  { sort, stretch: { offset, limit }, behind }: AccountsWanted,
  best?: Sql,
): Promise<AccountsFound> {
  const all = sql`join account_count c on c.user_id = f.user_id and c.category_id = '*'`;
  const [joins, order] = {
    best: best ? [sql``, best] : [sql`left ${all}`, sql`f.score desc, coalesce(c.total, 0) desc, f.user_id`],
    most: [sql`left ${all}`, sql`coalesce(c.total, 0) desc, f.user_id`],
    newest: [sql`join account_search a on a.user_id = f.user_id`, sql`a.created_at desc, f.user_id desc`],
  }[sort] as [Sql, Sql];
  const rows = await db.query<{ everybody: number; id: string | null; behind: boolean }>(sql`
    with ${found}, shown as (
      select f.user_id, f.matches, row_number() over (order by ${order}) as place
      from found f ${joins} order by ${order} offset ${offset}::bigint limit ${limit}::bigint
    )
    select t.everybody, t.behind, a.id, a.kind, a.username, a.display_name, a.agent_domain, a.operator_id, a.social_handle, a.social_verified_at,
      p.matches as match_count, coalesce(c.total, 0) as total, coalesce(c.sealed, 0) as sealed, coalesce(c.revealed, 0) as revealed,
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

function nameConditions(q: string): Sql[] {
  const words = [...new Set(q.split(/\s+/u))].filter((word) => word !== '');
  if (words.length === 0 || words.length > MOST_WORDS) return [sql`false`];
  return words.map((word) => {
    const needle = toNeedle(word)!;
    return needle.isLong ? sql`strpos(n.names, ${needle.folded}) > 0` : sql`n.names like ${needle.pattern}`;
  });
}

function etchedIn(categories: readonly string[]): Sql[] {
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

export const findFollowedAccounts = (db: Queryable, callerId: string) =>
  db.column<string>(sql`select target_id from follow where user_id = ${callerId} and target_type = 'user'`);

/** `more`: there are at least `count`. */
interface Counted {
  count: number;
  more: boolean;
}

const MOST = 1_000;

/** Scans at most the first thousand results of each list. */
export async function countTabs(db: Queryable, q: string, categories: readonly string[]) {
  const handle = /^@(.+)$/su.exec(q.trim())?.[1];
  const needle = toNeedle(handle ?? q);
  if (!needle) return undefined;
  const ofTopics = categories.length > 0 ? sql`and c.category_id = any(${categories}::text[])` : sql``;
  const names = handle === undefined ? nameConditions(q) : [handleBegins(needle)];
  const writers = handle === undefined ? sql`select user_id from etched union` : sql``;
  const [row] = await db.query<Record<'etches' | 'accounts' | 'challenges', number>>(sql`
    with etched as materialized (
      select user_id from etch_search s
      ${where(conditions({ needle, categories, statuses: [], users: undefined }))} limit ${MOST + 1}
    ), named as (
      select n.user_id from account_search n
      where ${join([...names, ...etchedIn(categories)], ' and ')} limit ${MOST + 1}
    ), asked as (
      select 1 from challenge_search s join challenge c on c.id = s.challenge_id
      where ${holds(needle)} ${ofTopics} limit ${MOST + 1}
    )
    select (select count(*) from etched)::integer as etches, (select count(*) from asked)::integer as challenges,
      (select count(*) from (${writers} select user_id from named) a)::integer as accounts`);
  const { etches, accounts, challenges } = row!;
  const counted = (count: number, more = count > MOST): Counted => ({ count: Math.min(count, MOST), more });
  return {
    etches: counted(etches),
    accounts: counted(accounts, accounts > MOST || (handle === undefined && etches > MOST)),
    challenges: counted(challenges),
  };
}
