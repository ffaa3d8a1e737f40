import { ETCH_STATUSES, isTopicId, SEARCH_SORTS, type TopicId } from '@svc/contract';
import { badField, Failure } from '../platform/failure.ts';
import { withoutAt } from './needle.ts';
import type { Status } from './search-store.ts';

export interface SearchRequest {
  q?: string;
  category?: string;
  status?: string;
  sort?: string;
  following?: string;
  page?: string;
  limit?: string;
}

type SearchSort = (typeof SEARCH_SORTS)[number];

export interface SearchQuery {
  categories: TopicId[];
  statuses: Status[];
  q: string | null;
  sort: SearchSort;
  following: boolean;
}

export const PAGE_LIMIT = 30;

export function readSearch(request: SearchRequest, isSignedIn: boolean): SearchQuery {
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

export function listOf(text: string | undefined): string[] {
  return [...new Set((text ?? '').split(',').map((word) => word.trim()))].filter((word) => word !== '');
}

function sortOf(sort: string | undefined, q: string | null): SearchSort {
  const fallback = q === null ? 'newest' : 'best';
  const known = SEARCH_SORTS.find((candidate) => candidate === sort);
  return known === undefined || (known === 'best' && q === null) ? fallback : known;
}

function isStatus(word: string): word is Status {
  return (ETCH_STATUSES as readonly string[]).includes(word);
}

export function numberedPage(number: number, total: number, limit: number) {
  return { number, pages: Math.max(1, Math.ceil(total / limit)), total };
}
