import { ROUTES } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../db/clock.ts';
import type { Db } from '../../db/db.ts';
import type { ViewContext } from '../../etches/view.ts';
import { keepAnswers, keptAnswers, readAllAnswers, readGuide, requireGuide } from '../../guide/guide.ts';
import type { GuideSettings } from '../../settings/config.ts';
import { addressKey } from '../address.ts';
import { operation } from '../operation.ts';
import type { RateLimiter } from '../rate-limits.ts';

export interface GuideRoutes {
  db: Db;
  clock: Clock;
  settings: GuideSettings;
  view: ViewContext;
  /** counts signed-out answers by address */
  meter: RateLimiter;
}

export function mountGuide(api: FastifyInstance, { db, clock, settings, view, meter }: GuideRoutes): void {
  operation(api, ROUTES.getGuide, ({ caller }) => readGuide(db, caller, clock.now(), settings, view));

  operation(api, ROUTES.listAnswers, async ({ caller }) => ({
    testers: await readAllAnswers(db, caller, clock.now(), settings),
  }));

  operation(api, ROUTES.sendAnswers, async ({ caller, body, request }) => {
    requireGuide(settings);
    const kept = keptAnswers(body);
    if (!caller) await meter.take(addressKey(request.ip), kept.length);
    await keepAnswers(db, clock, caller, body, kept);
    return { sent: kept.length };
  });
}
