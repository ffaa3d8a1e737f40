import { challengeEtch, challengeItem } from '../examples/challenge.ts';
import { revealedEtch } from '../examples/etch.ts';
import * as world from '../examples/shared-values.ts';
import { envelope, flag, looseTextField, oneOf, request } from '../fields.ts';
import { FOLLOW_TARGETS, Follow, Follows, Watching } from '../resources/follow.ts';
import { created, DELETE, GET, ok, POST, routes } from './route.ts';

const target = {
  target_type: oneOf(FOLLOW_TARGETS, 'What is followed.'),
  target_id: looseTextField('A user id, topic id, challenge id or etch id.', { minLength: 1, maxLength: 64 }),
};

export const FollowBody = request(target);

export const followRoutes = routes('Follows', {
  follow: POST('/follows', 'caller', 'Follow an account, topic, challenge or etch', {
    repeatable: true,
    description: 'A second follow of the same target changes nothing.',
    body: FollowBody,
    bodyExample: { target_type: 'challenge', target_id: world.challengeId },
    success: created('Followed.', envelope({ follow: Follow }), {
      follow: { target_type: 'challenge', target_id: world.challengeId },
    }),
    refusals: {
      400: 'The target is not valid, or there is no such target.',
      409: 'The account follows the maximum number of targets.',
    },
  }),
  unfollow: DELETE('/follows', 'caller', 'Unfollow', {
    whileSuspended: true,
    query: request(target),
    success: ok(
      'The target is no longer followed.',
      envelope({ unfollowed: flag('Was it followed before?') }),
      { unfollowed: true },
    ),
    refusals: { 400: '`target_type` or `target_id` is missing or not valid.' },
  }),
  listFollows: GET('/follows/me', 'caller', 'List follows', {
    success: ok('Bare ids by kind.', Follows, {
      users: [world.botId],
      categories: ['ai'],
      challenges: [],
      etches: [world.etchId],
      count: 3,
    }),
  }),
  listWatching: GET('/follows/watching', 'caller', 'List followed etches and challenges', {
    description:
      'At most 200 of each kind: waiting ones by soonest time, then settled ones by latest time. `counts` covers all.',
    success: ok('The followed etches and challenges.', Watching, {
      pending: [challengeEtch],
      settled: [revealedEtch],
      challenges: [challengeItem],
      counts: { pending: 1, settled: 1, challenges: 1 },
    }),
  }),
});
