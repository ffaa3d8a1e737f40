import { Type, type Static } from 'typebox';
import { Code, Count, Time, Url, Uuid, flag, shape, doc } from '../fields.ts';
import { Category, CategoryId } from '../topics.ts';
import { Official, TakenDown, nameFields } from './author.ts';

export const CHALLENGE_STATUSES = ['open', 'closed', 'all'] as const;
export type ChallengeStatus = (typeof CHALLENGE_STATUSES)[number];

export const CHALLENGE_SORTS = ['soonest', 'newest', 'oldest', 'most', 'least'] as const;
export type ChallengeSort = (typeof CHALLENGE_SORTS)[number];

/** In code points. */
export const QUESTION_MAX = 280;

const id = doc(Uuid, "The challenge's id.");
const question = Type.String({ maxLength: QUESTION_MAX, description: 'The question.' });
const created_at = doc(Time, 'When it was opened.');
const reveal_at = doc(Time, 'When the challenge closes and all its etches are revealed.');
const closed = flag('Has `reveal_at` passed?');
const url = doc(Url, 'Its page.');
const creator_id = doc(Uuid, 'The account that created the challenge.');

export const ChallengeListItem = shape('ChallengeListItem', 'A challenge in a list.', {
  id,
  question,
  category_id: CategoryId,
  created_at,
  reveal_at,
  closed,
  etch_count: doc(Count, 'Etches in the challenge, including retracted ones.'),
  participant_count: doc(Count, 'Accounts that answered.'),
  url,
});
export type ChallengeListItem = Static<typeof ChallengeListItem>;

export const CreatedChallenge = shape('CreatedChallenge', 'A new challenge.', {
  id,
  question,
  category: Category,
  creator_id,
  created_at,
  reveal_at,
  url,
});
export type CreatedChallenge = Static<typeof CreatedChallenge>;

export const ChallengeCreator = shape('ChallengeCreator', 'The creator of a challenge.', {
  ...nameFields,
  official: Official,
});

export const ChallengeDetail = shape('ChallengeDetail', 'A challenge with its creator.', {
  id,
  code: doc(Code, 'A code of six characters in its short URL; it never changes.'),
  short_url: doc(Url, 'The short URL of its page, as permanent as the long one.'),
  question,
  category: Category,
  creator_id,
  creator: ChallengeCreator,
  created_at,
  reveal_at,
  closed,
});
export type ChallengeDetail = Static<typeof ChallengeDetail>;

export const ChallengeCounts = shape('ChallengeCounts', "Numbers of a challenge's etches by status.", {
  etches: doc(Count, 'Etches in the challenge, including retracted ones.'),
  participants: doc(Count, 'Accounts that answered.'),
  sealed: doc(Count, 'Sealed etches in the challenge.'),
  revealed: doc(Count, 'Public etches in the challenge.'),
  retracted: doc(Count, 'Etches that their authors retracted.'),
  taken_down: TakenDown,
});
export type ChallengeCounts = Static<typeof ChallengeCounts>;
