import {
  CHALLENGE_SEARCH_SORTS,
  CHALLENGE_STATUSES,
  type ChallengeStatus,
  type TopicId,
} from '@svc/contract';
import sql, { join, type Sql } from 'sql-template-tag';
import {
  type ChallengeFilter,
  knownTopics,
  knownWord,
  numberedPage,
  pageOfChallenges,
} from '../challenges/list-store.ts';
import { type ChallengeRow, findChallenges } from '../challenges/store.ts';
import { challengeListItem } from '../challenges/view.ts';
import { toTime } from '../db/clock.ts';
import type { Queryable } from '../db/db.ts';
import { readList, type SearchDependencies } from './search-db.ts';
import { type SearchTerm, type ResultRange, toSearchTerm, withoutAt } from './search-store.ts';
import { PAGE_LIMIT } from './search.ts';

interface Query {
  q: string | null;
  status: ChallengeStatus;
  categories: TopicId[];
  sort: (typeof CHALLENGE_SEARCH_SORTS)[number];
}

export function searchChallenges(
  from: SearchDependencies,
  callerId: string | undefined,
  request: { q?: string; status?: string; category?: string; sort?: string; page?: string },
) {
  const q = withoutAt(request.q);
  const sort = knownWord(CHALLENGE_SEARCH_SORTS, request.sort) ?? 'best';
  const query: Query = {
    q,
    status: knownWord(CHALLENGE_STATUSES, request.status) ?? 'all',
    categories: knownTopics(request.category),
    sort: q === null && sort === 'best' ? 'soonest' : sort,
  };
  const number = Number(request.page ?? 1);
  return readList(from, callerId, async ({ searchDb, clock, view }) => {
    const now = clock.now();
    const { challenges, page } = await searchDb.run(q !== null, (db) => find(db, query, number, now));
    return { query, challenges: challenges.map((row) => challengeListItem(row, now, view)), page };
  });
}

async function find(db: Queryable, { q, sort, status, categories }: Query, number: number, now: number) {
  const term = q === null ? undefined : toSearchTerm(q);
  if (q !== null && !term) return { challenges: [], page: numberedPage(number, 0, PAGE_LIMIT) };
  const filter = { status, categories, now };
  if (term && sort === 'best') {
    const range = { offset: (number - 1) * PAGE_LIMIT, limit: PAGE_LIMIT };
    const { total, challenges } = await findBestChallenges(db, term, filter, range);
    return { challenges, page: numberedPage(number, total, PAGE_LIMIT) };
  }
  const matching =
    term && sql`id in (select challenge_id from challenge_search s where ${questionContains(term)})`;
  const order = sort === 'best' ? 'soonest' : sort;
  return pageOfChallenges(db, { ...filter, ...(matching && { matching }) }, order, number);
}

async function findBestChallenges(
  db: Queryable,
  term: SearchTerm,
  filter: ChallengeFilter,
  { offset, limit }: ResultRange,
): Promise<{ total: number; challenges: ChallengeRow[] }> {
  const at = toTime(filter.now);
  const wanted = [
    questionContains(term),
    ...(filter.status === 'open' ? [sql`c.reveal_at > ${at}`] : []),
    ...(filter.status === 'closed' ? [sql`c.reveal_at <= ${at}`] : []),
    ...(filter.categories.length > 0 ? [sql`c.category_id = any(${filter.categories}::text[])`] : []),
  ];
  const { total, ids } = await db.one<{ total: number; ids: string }>(sql`
    with matching as materialized (
      select c.id, c.created_at,
        octet_length(s.question) - octet_length(replace(s.question, ${term.folded}, '')) as letters
      from challenge_search s join challenge c on c.id = s.challenge_id where ${join(wanted, ' and ')}
    )
    select (select count(*) from matching)::integer as total,
      array_to_string(array(
        select id from matching order by letters desc, created_at desc, id desc
        offset ${offset}::bigint limit ${limit}::bigint), ',') as ids`);
  const found = await findChallenges(db, ids === '' ? [] : ids.split(','));
  return { total, challenges: found.filter((challenge) => challenge !== undefined) };
}

export function questionContains(term: SearchTerm): Sql {
  const like = sql`s.question like ${term.pattern}`;
  return term.isLong ? sql`(${like} and strpos(s.question, ${term.folded}) > 0)` : like;
}
