import { Type, type Static } from 'typebox';
import { Code, Count, Time, Url, Uuid, shape } from '../fields.ts';
import { Category, CategoryId } from '../topics.ts';
import { nameFields } from './author.ts';

export const CHALLENGE_STATUSES = ['open', 'closed', 'all'] as const;
export type ChallengeStatus = (typeof CHALLENGE_STATUSES)[number];

export const CHALLENGE_SORTS = ['soonest', 'newest', 'oldest', 'most', 'least'] as const;
export type ChallengeSort = (typeof CHALLENGE_SORTS)[number];

/** Code points in a challenge's question, at most. */
export const QUESTION_MAX = 280;

const question = Type.String({ maxLength: QUESTION_MAX });

export const ChallengeListItem = shape('ChallengeListItem', {
  id: Uuid,
  question,
  category_id: CategoryId,
  created_at: Time,
  reveal_at: Time,
  closed: Type.Boolean(),
  etch_count: Count,
  participant_count: Count,
  url: Url,
});
export type ChallengeListItem = Static<typeof ChallengeListItem>;

export const CreatedChallenge = shape('CreatedChallenge', {
  id: Uuid,
  question,
  category: Category,
  creator_id: Uuid,
  created_at: Time,
  reveal_at: Time,
  url: Url,
});
export type CreatedChallenge = Static<typeof CreatedChallenge>;

export const ChallengeCreator = shape('ChallengeCreator', { ...nameFields, official: Type.Boolean() });
export type ChallengeCreator = Static<typeof ChallengeCreator>;

export const ChallengeDetail = shape('ChallengeDetail', {
  id: Uuid,
  code: Code,
  short_url: Url,
  question,
  category: Category,
  creator_id: Uuid,
  creator: ChallengeCreator,
  created_at: Time,
  reveal_at: Time,
  closed: Type.Boolean(),
});
export type ChallengeDetail = Static<typeof ChallengeDetail>;

export const ChallengeCounts = shape('ChallengeCounts', {
  etches: Count,
  participants: Count,
  sealed: Count,
  revealed: Count,
  retracted: Count,
});
export type ChallengeCounts = Static<typeof ChallengeCounts>;
