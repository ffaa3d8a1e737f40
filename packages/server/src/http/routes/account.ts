import { ROUTES } from '@svc/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { addKey, revoke } from '../../accounts/keys.ts';
import type { SocialSync } from '../../accounts/social-sync.ts';
import { findAccount, listKeys, readBucket, renameAccount } from '../../accounts/store.ts';
import { issuedKeyView, limitsView, listedKeyView, meView } from '../../accounts/view.ts';
import { type Clock, toTime } from '../../db/clock.ts';
import type { Db } from '../../db/db.ts';
import { bearerToken } from '../../identity/authenticate.ts';
import type { GuideSettings, Limits } from '../../settings/config.ts';
import { operation } from '../operation.ts';
import { idOf } from '../errors.ts';
import type { ViewContext } from '../../etches/view.ts';
import { follow, listFollows, listWatching, unfollow } from '../../notify/follows/follow.ts';
import {
  countAnswers,
  keepAnswers,
  keptAnswers,
  readAllAnswers,
  readGuide,
  requireGuide,
} from '../../guide/guide.ts';
import { addressKey, type RateLimiter } from '../rate-limits.ts';

interface AccountRoutes {
  db: Db;
  clock: Clock;
  limits: Limits;
  social: SocialSync;
}

export function mountAccount(api: FastifyInstance, { db, clock, limits, social }: AccountRoutes): void {
  operation(api, ROUTES.getMe, async ({ caller }) => ({
    user: meView((await findAccount(db, caller.userId))!),
  }));

  operation(api, ROUTES.updateMe, async ({ caller, body }) => ({
    user: meView((await renameAccount(db, caller.userId, body.display_name))!),
  }));

  operation(api, ROUTES.syncSocial, async ({ caller, headers }) => ({
    user: meView(await social.sync(caller, bearerToken(headers.authorization))),
  }));

  operation(api, ROUTES.getLimits, async ({ caller }) =>
    limitsView(caller, await readBucket(db, caller.userId, 'etch'), limits, clock.now()),
  );

  operation(api, ROUTES.listKeys, async ({ caller }) => ({
    keys: (await listKeys(db, caller.userId)).map(listedKeyView),
  }));

  operation(api, ROUTES.createKey, async ({ caller, body }) => {
    const at = toTime(clock.now());
    const { row, value } = await addKey(
      db,
      { userId: caller.userId, name: body.name, scope: body.scope ?? 'read', at },
      limits.keysPerAccount,
    );
    return { key: issuedKeyView(row), api_key: value };
  });

  operation(api, ROUTES.revokeKey, async ({ caller, params }) => {
    const id = idOf(params.id, 'no active key of this account has that id');
    return { key: listedKeyView(await revoke(db, clock, caller, id)) };
  });
}

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

interface GuideRoutes {
  db: Db;
  clock: Clock;
  settings: GuideSettings;
  view: ViewContext;
  meter: RateLimiter;
}

export function mountGuide(api: FastifyInstance, { db, clock, settings, view, meter }: GuideRoutes): void {
  operation(api, ROUTES.getGuide, ({ caller }) => readGuide(db, caller, clock.now(), settings, view));

  operation(api, ROUTES.listAnswers, async ({ caller }) => ({
    testers: await readAllAnswers(db, caller, clock.now(), settings),
  }));

  const taken = new WeakMap<FastifyRequest, number>();
  operation(
    api,
    ROUTES.sendAnswers,
    async ({ caller, body }) => {
      const kept = keptAnswers(body);
      await keepAnswers(db, clock, caller, body, kept);
      return { sent: kept.length };
    },
    {
      async preValidation(request) {
        requireGuide(settings);
        if (request.caller) return;
        const points = Math.max(1, countAnswers(request.body));
        await meter.take(addressKey(request.ip), points);
        taken.set(request, points);
      },
      /** Refunds all points but one, so that failed requests are limited too. */
      async onError(request) {
        const points = taken.get(request) ?? 1;
        if (points > 1) await meter.giveBack(addressKey(request.ip), points - 1);
      },
    },
  );
}
