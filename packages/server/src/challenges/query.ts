import {
  CHALLENGE_SORTS,
  CHALLENGE_STATUSES,
  type ChallengeSort,
  type ChallengeStatus,
  isTopicId,
  type TopicId,
} from '@svc/contract';

export interface ChallengeQuery {
  status: ChallengeStatus;
  sort: ChallengeSort;
  /** empty means all topics */
  categories: TopicId[];
  page: number;
}

const PAGE = /^[1-9]\d{0,8}$/;

/** Invalid values become the defaults (docs/specification.md#get-challenges). */
export function readChallengeQuery(query: {
  status?: string;
  sort?: string;
  category?: string;
  page?: string;
}): ChallengeQuery {
  return {
    status: knownWord(CHALLENGE_STATUSES, query.status) ?? 'open',
    sort: knownWord(CHALLENGE_SORTS, query.sort) ?? 'soonest',
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

export function knownTopics(text = ''): TopicId[] {
  return [...new Set(text.split(',').map((word) => word.trim()))].filter(isTopicId);
}
