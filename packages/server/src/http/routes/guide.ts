import { ROUTES } from '@svc/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../../db/clock.ts';
import type { Db } from '../../db/db.ts';
import type { ViewContext } from '../../etches/view.ts';
import {
  countAnswers,
  keepAnswers,
  keptAnswers,
  readAllAnswers,
  readGuide,
  requireGuide,
} from '../../guide/guide.ts';
import type { GuideSettings } from '../../settings/config.ts';
import { addressKey } from '../address.ts';
import { operation } from '../operation.ts';
import type { RateLimiter } from '../rate-limits.ts';

export interface GuideRoutes {
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
