// Counts the results of each tab of the search page, at most a thousand.
import sql, { empty, join } from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';
import { etchedIn, handleBegins, handleIn, nameConditions } from './account-store.ts';
import { questionContains } from './challenge-store.ts';
import { conditions, NO_FILTER, toSearchTerm, whereSql } from './search-store.ts';

/** `more`: there are at least `count`. */
interface Counted {
  count: number;
  more: boolean;
}

const MOST = 1_000;

/** Scans at most the first thousand results of each list. */
export async function countTabs(db: Queryable, q: string, categories: readonly string[]) {
  const handle = handleIn(q);
  const term = toSearchTerm(handle ?? q);
  if (!term) return undefined;
  const ofTopics = categories.length > 0 ? sql`and c.category_id = any(${categories}::text[])` : empty;
  const names = handle === undefined ? nameConditions(q) : [handleBegins(term)];
  const writers = handle === undefined ? sql`select user_id from etched union` : empty;
  const { etches, accounts, challenges } = await db.one<
    Record<'etches' | 'accounts' | 'challenges', number>
  >(sql`
    with etched as materialized (
      select user_id from etch_search s
      ${whereSql(conditions({ ...NO_FILTER, term, categories }))} limit ${MOST + 1}
    ), named as (
      select n.user_id from account_search n
      where ${join([...names, ...etchedIn(categories)], ' and ')} limit ${MOST + 1}
    ), asked as (
      select 1 from challenge_search s join challenge c on c.id = s.challenge_id
      where ${questionContains(term)} ${ofTopics} limit ${MOST + 1}
    )
    select (select count(*) from etched)::integer as etches, (select count(*) from asked)::integer as challenges,
      (select count(*) from (${writers} select user_id from named) a)::integer as accounts`);
  const counted = (count: number, more = count > MOST): Counted => ({ count: Math.min(count, MOST), more });
  return {
    etches: counted(etches),
    accounts: counted(accounts, accounts > MOST || (handle === undefined && etches > MOST)),
    challenges: counted(challenges),
  };
}
