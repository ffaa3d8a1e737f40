import {
  CHALLENGE_SEARCH_SORTS,
  CHALLENGE_STATUSES,
  type ChallengeStatus,
  type TopicId,
} from '@svc/contract';
import { knownTopics, knownWord, pageOfChallenges } from '../challenges/list.ts';
import { challengeListItem } from '../challenges/view.ts';
import type { Queryable } from '../db/db.ts';
import { findBestChallenges, questionHolds } from './challenge-store.ts';
import { toNeedle, withoutAt } from './search-store.ts';
import { readList, type SearchDependencies } from './search-db.ts';
import { numberedPage, PAGE_LIMIT } from './search.ts';

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
  const needle = q === null ? undefined : toNeedle(q);
  if (q !== null && !needle) return { challenges: [], page: numberedPage(number, 0, PAGE_LIMIT) };
  const filter = { status, categories, now };
  if (needle && sort === 'best') {
    const stretch = { offset: (number - 1) * PAGE_LIMIT, limit: PAGE_LIMIT };
    const { total, challenges } = await findBestChallenges(db, needle, filter, stretch);
    return { challenges, page: numberedPage(number, total, PAGE_LIMIT) };
  }
  return pageOfChallenges(
    db,
    { ...filter, ...(needle && { matching: questionHolds(needle) }) },
    sort === 'best' ? 'soonest' : sort,
    number,
  );
}
