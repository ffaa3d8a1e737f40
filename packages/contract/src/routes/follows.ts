import { Type } from 'typebox';
import { challengeEtch, challengeItem } from '../examples/challenge.ts';
import { revealedEtch } from '../examples/etch.ts';
import * as world from '../examples/world.ts';
import { envelope, looseTextField, oneOf, request } from '../fields.ts';
import { FOLLOW_TARGETS, Follow, Follows, Watching } from '../resources/follow.ts';
import { route } from './route.ts';

const target = {
  target_type: oneOf(FOLLOW_TARGETS, 'What is followed.'),
  target_id: looseTextField('A user id, topic id, challenge id or etch id.', { minLength: 1, maxLength: 64 }),
};

export const FollowBody = request(target);
export const UnfollowQuery = request(target);

export const followRoutes = {
  follow: route({
    operationId: 'follow',
    method: 'POST',
    path: '/api/v1/follows',
    summary: 'Follow an account, topic, challenge or etch',
    description: 'A second follow of the same target changes nothing.',
    tag: 'Follows',
    auth: 'caller',
    body: FollowBody,
    bodyExample: { target_type: 'challenge', target_id: world.challengeId },
    success: {
      status: 201,
      description: 'Followed.',
      schema: envelope({ follow: Follow }),
      example: { follow: { target_type: 'challenge', target_id: world.challengeId } },
    },
    refusals: {
      400: 'The target is not valid, or there is no such target.',
      409: 'The account follows the maximum number of targets.',
    },
  }),
  unfollow: route({
    operationId: 'unfollow',
    method: 'DELETE',
    path: '/api/v1/follows',
    summary: 'Unfollow',
    tag: 'Follows',
    auth: 'caller',
    whileSuspended: true,
    query: UnfollowQuery,
    success: {
      status: 200,
      description: 'The target is no longer followed.',
      schema: envelope({ unfollowed: Type.Boolean({ description: 'Was it followed before?' }) }),
      example: { unfollowed: true },
    },
    refusals: { 400: '`target_type` or `target_id` is missing or not valid.' },
  }),
  listFollows: route({
    operationId: 'listFollows',
    method: 'GET',
    path: '/api/v1/follows/me',
    summary: 'List follows',
    tag: 'Follows',
    auth: 'caller',
    success: {
      status: 200,
      description: 'Bare ids by kind.',
      schema: Follows,
      example: { users: [world.botId], categories: ['ai'], challenges: [], etches: [world.etchId], count: 3 },
    },
  }),
  listWatching: route({
    operationId: 'listWatching',
    method: 'GET',
    path: '/api/v1/follows/watching',
    summary: 'List followed etches and challenges',
    description:
      'At most 200 of each kind: waiting ones by soonest time, then settled ones by latest time. `counts` covers all.',
    tag: 'Follows',
    auth: 'caller',
    success: {
      status: 200,
      description: 'The followed etches and challenges.',
      schema: Watching,
      example: {
        pending: [challengeEtch],
        settled: [revealedEtch],
        challenges: [challengeItem],
        counts: { pending: 1, settled: 1, challenges: 1 },
      },
    },
  }),
};
