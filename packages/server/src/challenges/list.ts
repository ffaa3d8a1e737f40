import {
  CHALLENGE_SORTS,
  CHALLENGE_STATUSES,
  type ChallengeSort,
  isTopicId,
  PAGE_SIZE,
  type TopicId,
} from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import { type ChallengeFilter, countChallenges, listChallenges } from './list-store.ts';

/** A page after the last costs only the count. */
export async function pageOfChallenges(
  db: Queryable,
  filter: ChallengeFilter,
  sort: ChallengeSort,
  page: number,
) {
  const total = await countChallenges(db, filter);
  const offset = (page - 1) * PAGE_SIZE;
  return {
    challenges: offset < total ? await slice(db, filter, sort, offset) : [],
    page: { number: page, pages: Math.max(1, Math.ceil(total / PAGE_SIZE)), total },
  };
}

export type PageOfChallenges = Awaited<ReturnType<typeof pageOfChallenges>>;

async function slice(db: Queryable, filter: ChallengeFilter, sort: ChallengeSort, offset: number) {
  if (sort !== 'soonest' || filter.status !== 'all') {
    return listChallenges(db, filter, sort, { offset, limit: PAGE_SIZE });
  }
  // Open challenges are ascending, closed ones descending.
  const openFilter = { ...filter, status: 'open' } as const;
  const openCount = await countChallenges(db, openFilter);
  const open =
    offset < openCount ? await listChallenges(db, openFilter, sort, { offset, limit: PAGE_SIZE }) : [];
  if (open.length === PAGE_SIZE) return open;
  const closed = await listChallenges(db, { ...filter, status: 'closed' }, sort, {
    offset: Math.max(0, offset - openCount),
    limit: PAGE_SIZE - open.length,
  });
  return [...open, ...closed];
}

const PAGE = /^[1-9]\d{0,8}$/;

/** Invalid values become the defaults (docs/specification.md#get-challenges). */
export function readChallengeQuery(query: {
  status?: string;
  sort?: string;
  category?: string;
  page?: string;
}) {
  return {
    status: knownWord(CHALLENGE_STATUSES, query.status) ?? 'open',
    sort: knownWord(CHALLENGE_SORTS, query.sort) ?? 'soonest',
    /** empty means all topics */
    categories: knownTopics(query.category),
    page: query.page !== undefined && PAGE.test(query.page) ? Number(query.page) : 1,
  };
}

export function knownWord<Word extends string>(
  words: readonly Word[],
  text: string | undefined,
): Word | undefined {
  return words.find((word) => word === text);
}

export const knownTopics = (text = ''): TopicId[] =>
  [...new Set(text.split(',').map((word) => word.trim()))].filter(isTopicId);
