import { Type, type Static } from 'typebox';
import { Count, Uuid, oneOf, shape } from '../fields.ts';
import { CategoryId } from '../topics.ts';
import { ChallengeListItem } from './challenge.ts';
import { Etch } from './etch.ts';

export const FOLLOW_TARGETS = ['user', 'category', 'challenge', 'etch'] as const;
export type FollowTarget = (typeof FOLLOW_TARGETS)[number];

export const Follow = shape('Follow', { target_type: oneOf(FOLLOW_TARGETS), target_id: Type.String() });
export type Follow = Static<typeof Follow>;

export const Follows = shape('Follows', {
  users: Type.Array(Uuid),
  categories: Type.Array(CategoryId),
  challenges: Type.Array(Uuid),
  etches: Type.Array(Uuid),
  count: Count,
});
export type Follows = Static<typeof Follows>;

export const WatchingCounts = shape('WatchingCounts', { pending: Count, settled: Count, challenges: Count });

export const Watching = shape('Watching', {
  pending: Type.Array(Etch, { description: 'Followed etches still sealed.' }),
  settled: Type.Array(Etch, { description: 'Followed etches revealed or retracted.' }),
  challenges: Type.Array(ChallengeListItem),
  counts: WatchingCounts,
});
export type Watching = Static<typeof Watching>;
