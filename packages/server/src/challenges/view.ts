import {
  type ChallengeCounts,
  type ChallengeDetail,
  type ChallengeListItem,
  type CreatedChallenge,
  DESCRIPTION_MAX,
} from '@svc/contract';
import { categoryView } from '../etches/view.ts';
import type { ChallengeDetailRow, ChallengeRow, EntryTerms, NewChallenge } from './store.ts';
import { Failure } from '../platform/failure.ts';

export interface ChallengeViewContext {
  baseUrl: string;
  officialAccounts: { has(username: string): boolean };
}

export const isClosed = (challenge: { reveal_at: string }, now: number): boolean =>
  Date.parse(challenge.reveal_at) <= now;

export function challengeListItem(
  row: ChallengeRow,
  now: number,
  context: Pick<ChallengeViewContext, 'baseUrl'>,
): ChallengeListItem {
  const { id, question, category_id, created_at, reveal_at, etch_count } = row;
  const closed = isClosed(row, now);
  const url = challengeUrl(id, context);
  // Each account has one etch.
  const participant_count = etch_count;
  return { id, question, category_id, created_at, reveal_at, closed, etch_count, participant_count, url };
}

export function createdChallengeView(
  row: NewChallenge,
  context: Pick<ChallengeViewContext, 'baseUrl'>,
): CreatedChallenge {
  const { id, question, category_id, creator_id, created_at, reveal_at } = row;
  const category = categoryView(category_id);
  return { id, question, category, creator_id, created_at, reveal_at, url: challengeUrl(id, context) };
}

export function challengeDetailView(
  row: ChallengeDetailRow,
  now: number,
  context: ChallengeViewContext,
): ChallengeDetail {
  const { id, code, question, creator_id, created_at, reveal_at } = row;
  const { username, display_name, social_handle, social_verified_at } = row;
  const official = context.officialAccounts.has(username);
  return {
    id,
    code,
    short_url: challengeUrl(code, context),
    question,
    category: categoryView(row.category_id),
    creator_id,
    creator: { username, display_name, social_handle, social_verified_at, official },
    created_at,
    reveal_at,
    closed: isClosed(row, now),
  };
}

export function challengeCounts(row: ChallengeDetailRow, now: number): ChallengeCounts {
  const standing = row.etch_count - row.retracted_count;
  const closed = isClosed(row, now);
  return {
    etches: row.etch_count,
    participants: row.etch_count,
    sealed: closed ? 0 : standing,
    revealed: closed ? standing : 0,
    retracted: row.retracted_count - row.taken_down_count,
    ...(row.taken_down_count > 0 && { taken_down: row.taken_down_count }),
  };
}

const challengeUrl = (id: string, { baseUrl }: Pick<ChallengeViewContext, 'baseUrl'>): string =>
  `${baseUrl}/ch/${id}`;

/** The description must reveal nothing about the answer. */
export const entryDescription = (question: string): string =>
  [...`Sealed answer to: ${question}`].slice(0, DESCRIPTION_MAX).join('');

export function entryRefusal(terms: EntryTerms, now: number): Failure | undefined {
  if (isClosed(terms, now)) {
    return new Failure('bad_request', 'the challenge is closed: etching ended at its reveal_at', [
      { path: 'challenge_id', message: 'names a challenge that is closed' },
    ]);
  }
  if (terms.entered) {
    return new Failure(
      'conflict',
      'this account has already etched in this challenge: an account etches once in a challenge',
    );
  }
  return undefined;
}
