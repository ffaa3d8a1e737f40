import { LIMIT_DEFAULT, OVERLAP_HOURS, ROUTES } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../../platform/failure.ts';
import type { ViewContext } from '../../etches/view.ts';
import { listEventRows } from '../../events/event-store.ts';
import type { Config } from '../../settings/config.ts';
import type { AttemptParts } from '../../notify/webhooks/attempt.ts';
import { pingWebhook } from '../../notify/webhooks/ping.ts';
import { listDeliveryRows, listWebhookRows, type WebhookRow } from '../../notify/webhooks/store.ts';
import { deliveryView, eventViews, webhookView } from '../../notify/webhooks/view.ts';
import {
  createWebhook,
  deleteWebhook,
  NO_DELIVERY,
  NO_WEBHOOK,
  ownWebhook,
  redeliver,
  pauseWebhook,
  rotateSecret,
} from '../../notify/webhooks/webhooks.ts';
import { makeCursor, readCursor } from '../cursor.ts';
import { operation } from '../operation.ts';
import { idOf } from '../errors.ts';

export interface EventRoutes extends AttemptParts {
  view: ViewContext;
  webhooks: Config['webhooks'];
}

export function mountEvents(api: FastifyInstance, parts: EventRoutes): void {
  const { db, clock, keyring, view, webhooks } = parts;
  const mustBeOn = (): void => {
    if (!webhooks.enabled)
      throw new Failure('not_found', 'webhooks are off here: read GET /me/events instead');
  };
  const shown = (row: WebhookRow) => webhookView(row, clock.now());
  const limitOf = (query: { limit?: string }): number =>
    query.limit === undefined ? LIMIT_DEFAULT : Number(query.limit);

  operation(api, ROUTES.listEvents, async ({ caller, query }) => {
    const limit = limitOf(query);
    const list = `events ${caller.userId}`;
    const after = query.cursor === undefined ? 0 : Number(readCursor(keyring, list, query.cursor)[0]);
    const found = await listEventRows(db, caller.userId, after, limit + 1);
    const rows = found.slice(0, limit);
    return {
      events: await eventViews(db, rows, clock.now(), view),
      page: {
        limit,
        has_more: found.length > limit,
        next_cursor: makeCursor(keyring, list, [rows.at(-1)?.position ?? after]),
      },
    };
  });

  operation(api, ROUTES.listWebhooks, async ({ caller }) => {
    mustBeOn();
    return { webhooks: (await listWebhookRows(db, caller.userId)).map(shown) };
  });

  operation(api, ROUTES.createWebhook, async ({ caller, body }) => {
    mustBeOn();
    const { row, secret } = await createWebhook(
      { db, clock, keyring, most: webhooks.perAccount },
      caller,
      body,
    );
    return { webhook: shown(row), secret };
  });

  operation(api, ROUTES.deleteWebhook, async ({ caller, params }) => {
    mustBeOn();
    return { webhook: shown(await deleteWebhook(db, caller, idOf(params.id, NO_WEBHOOK))) };
  });

  operation(api, ROUTES.listDeliveries, async ({ caller, params, query }) => {
    mustBeOn();
    const { id } = await ownWebhook(db, caller, idOf(params.id, NO_WEBHOOK));
    const limit = limitOf(query);
    const list = `deliveries ${id}`;
    const before =
      query.cursor === undefined ? undefined : Number(readCursor(keyring, list, query.cursor)[0]);
    const found = await listDeliveryRows(db, id, before, limit + 1);
    const rows = found.slice(0, limit);
    const last = rows.at(-1);
    const hasMore = found.length > limit && last !== undefined;
    return {
      deliveries: rows.map(deliveryView),
      page: { limit, has_more: hasMore, next_cursor: hasMore ? makeCursor(keyring, list, [last.id]) : null },
    };
  });

  operation(api, ROUTES.pingWebhook, async ({ caller, params }) => {
    mustBeOn();
    return { delivery: deliveryView(await pingWebhook(parts, caller, idOf(params.id, NO_WEBHOOK))) };
  });

  for (const [route, paused] of [
    [ROUTES.pauseWebhook, true],
    [ROUTES.resumeWebhook, false],
  ] as const)
    operation(api, route, async ({ caller, params }) => {
      mustBeOn();
      return {
        webhook: shown(await pauseWebhook(parts, caller, { id: idOf(params.id, NO_WEBHOOK), paused })),
      };
    });

  operation(api, ROUTES.redeliver, async ({ caller, params }) => {
    mustBeOn();
    const id = idOf(params.id, NO_WEBHOOK);
    const eventId = idOf(params.event_id, NO_DELIVERY);
    return { delivery: deliveryView(await redeliver(parts, caller, { id, eventId })) };
  });

  operation(api, ROUTES.rotateWebhookSecret, async ({ caller, params, query }) => {
    mustBeOn();
    const { row, secret } = await rotateSecret(parts, caller, {
      id: idOf(params.id, NO_WEBHOOK),
      overlapHours: Number(query.overlap_hours ?? OVERLAP_HOURS.usual),
    });
    return { webhook: shown(row), secret };
  });
}
