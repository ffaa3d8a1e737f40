import { ROUTES } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../db/clock.ts';
import type { Db } from '../../db/db.ts';
import type { ViewContext } from '../../etches/view.ts';
import { follow, listFollows, listWatching, unfollow } from '../../notify/follows/follow.ts';
import type { Limits } from '../../settings/config.ts';
import { operation } from '../operation.ts';

export function mountFollows(
  api: FastifyInstance,
  { db, clock, view, limits }: { db: Db; clock: Clock; view: ViewContext; limits: Limits },
): void {
  operation(api, ROUTES.follow, async ({ caller, body }) => ({
    follow: await follow({ db, clock, most: limits.followsPerAccount }, caller, body),
  }));
  operation(api, ROUTES.unfollow, async ({ caller, query }) => ({
    unfollowed: await unfollow(db, caller, query),
  }));
  operation(api, ROUTES.listFollows, ({ caller }) => listFollows(db, caller));
  operation(api, ROUTES.listWatching, ({ caller }) => listWatching(db, caller, clock.now(), view));
}
