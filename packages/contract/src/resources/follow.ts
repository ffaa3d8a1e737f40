import { Type, type Static } from 'typebox';
import { Count, Uuid, oneOf, shape, told } from '../fields.ts';
import { CategoryId } from '../topics.ts';
import { ChallengeListItem } from './challenge.ts';
import { Etch } from './etch.ts';

export const FOLLOW_TARGETS = ['user', 'category', 'challenge', 'etch'] as const;
export type FollowTarget = (typeof FOLLOW_TARGETS)[number];

export const Follow = shape(
  'Follow',
  {
    target_type: oneOf(FOLLOW_TARGETS, 'What is followed.'),
    target_id: Type.String({ description: 'Its id: a user id, topic id, challenge id or etch id.' }),
  },
  'A target that the account follows.',
);
export type Follow = Static<typeof Follow>;

export const Follows = shape(
  'Follows',
  {
    users: Type.Array(Uuid, { description: 'Ids of the accounts followed.' }),
    categories: Type.Array(CategoryId, { description: 'The topics followed.' }),
    challenges: Type.Array(Uuid, { description: 'Ids of the challenges followed.' }),
    etches: Type.Array(Uuid, { description: 'Ids of the etches followed.' }),
    count: told(Count, 'The sum of the four.'),
  },
  'The ids of everything that the account follows.',
);
export type Follows = Static<typeof Follows>;

export const WatchingCounts = shape(
  'WatchingCounts',
  {
    pending: told(Count, 'Followed etches that are sealed.'),
    settled: told(Count, 'Followed etches that are revealed or retracted.'),
    challenges: told(Count, 'Followed challenges.'),
  },
  'Totals; the lists may be shorter.',
);

export const Watching = shape(
  'Watching',
  {
    pending: Type.Array(Etch, { description: 'Followed etches that are sealed.' }),
    settled: Type.Array(Etch, { description: 'Followed etches that are revealed or retracted.' }),
    challenges: Type.Array(ChallengeListItem, { description: 'Followed challenges.' }),
    counts: WatchingCounts,
  },
  'Followed etches and challenges, soonest first.',
);
export type Watching = Static<typeof Watching>;
