import type { Static } from 'typebox';
import { Count, Uuid, listOf, oneOf, shape, text, doc } from '../fields.ts';
import { CategoryId } from '../topics.ts';
import { ChallengeListItem } from './challenge.ts';
import { Etch } from './etch.ts';

export const FOLLOW_TARGETS = ['user', 'category', 'challenge', 'etch'] as const;
export type FollowTarget = (typeof FOLLOW_TARGETS)[number];

export const Follow = shape('Follow', 'A target that the account follows.', {
  target_type: oneOf(FOLLOW_TARGETS, 'What is followed.'),
  target_id: text('Its id: a user id, topic id, challenge id or etch id.'),
});

export const Follows = shape('Follows', 'The ids of everything that the account follows.', {
  users: listOf(Uuid, 'Ids of the accounts followed.'),
  categories: listOf(CategoryId, 'The topics followed.'),
  challenges: listOf(Uuid, 'Ids of the challenges followed.'),
  etches: listOf(Uuid, 'Ids of the etches followed.'),
  count: doc(Count, 'The sum of the four.'),
});

export const WatchingCounts = shape('WatchingCounts', 'Totals; the lists may be shorter.', {
  pending: doc(Count, 'Followed etches that are sealed.'),
  settled: doc(Count, 'Followed etches that are revealed or retracted.'),
  challenges: doc(Count, 'Followed challenges.'),
});

export const Watching = shape('Watching', 'Followed etches and challenges, soonest first.', {
  pending: listOf(Etch, 'Followed etches that are sealed.'),
  settled: listOf(Etch, 'Followed etches that are revealed or retracted.'),
  challenges: listOf(ChallengeListItem, 'Followed challenges.'),
  counts: WatchingCounts,
});
export type Watching = Static<typeof Watching>;
