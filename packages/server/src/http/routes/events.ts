import { OVERLAP_HOURS } from '@svc/contract';
import { listEventRows } from '../../events/event-store.ts';
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  NO_DELIVERY,
  NO_WEBHOOK,
  ownWebhook,
  pauseWebhook,
  pingWebhook,
  redeliver,
  rotateSecret,
} from '../../notify/webhooks/store.ts';
import { eventViews } from '../../notify/event-subjects.ts';
import { Failure } from '../../platform/failure.ts';
import { listPage } from '../cursor.ts';
import { idOf } from '../errors.ts';
import type { Operations } from '../operation.ts';
import type { HttpDependencies } from '../dependencies.ts';

export const eventRoutes = ({ db, clock, keyring, view }: HttpDependencies): Operations => ({
  async listEvents({ caller, query }) {
    const { limit, after, page } = listPage(keyring, `events ${caller.userId}`, query);
    const begin = Number(after?.[0] ?? 0);
    const found = await listEventRows(db, caller.userId, begin, limit + 1);
    const rows = found.slice(0, limit);
    return {
      events: await eventViews(db, rows, clock.now(), view),
      // The last page has a cursor too, for events to come.
      page: { ...page([rows.at(-1)?.position ?? begin]), has_more: found.length > limit },
    };
  },
});

export function webhookRoutes(deps: HttpDependencies): Operations {
  const { db, clock, keyring, config } = deps;
  const { enabled, perAccount } = config.webhooks;
  const mustBeOn = (): void => {
    if (!enabled) throw new Failure('not_found', 'webhooks are off here: read GET /me/events instead');
  };
  const webhookId = (params: { id: string }): string => {
    mustBeOn();
    return idOf(params.id, NO_WEBHOOK);
  };

  return {
    async listWebhooks({ caller }) {
      mustBeOn();
      return { webhooks: await listWebhooks(deps, caller) };
    },

    async createWebhook({ caller, body }) {
      mustBeOn();
      return createWebhook({ db, clock, keyring, most: perAccount }, caller, body);
    },

    deleteWebhook: async ({ caller, params }) => ({
      webhook: await deleteWebhook(deps, caller, webhookId(params)),
    }),

    async listDeliveries({ caller, params, query }) {
      const { id } = await ownWebhook(deps, caller, webhookId(params));
      const { limit, after, cut } = listPage(keyring, `deliveries ${id}`, query);
      const found = await listDeliveries(db, id, after && Number(after[0]), limit + 1);
      const { rows, page } = cut(found, (last) => [last.id]);
      return { deliveries: rows.map(({ delivery }) => delivery), page };
    },

    pingWebhook: async ({ caller, params }) => ({
      delivery: await pingWebhook(deps, caller, webhookId(params)),
    }),

    pauseWebhook: async ({ caller, params }) => ({
      webhook: await pauseWebhook(deps, caller, { id: webhookId(params), paused: true }),
    }),

    resumeWebhook: async ({ caller, params }) => ({
      webhook: await pauseWebhook(deps, caller, { id: webhookId(params), paused: false }),
    }),

    async redeliver({ caller, params }) {
      const id = webhookId(params);
      const eventId = idOf(params.event_id, NO_DELIVERY);
      return { delivery: await redeliver(deps, caller, { id, eventId }) };
    },

    rotateWebhookSecret({ caller, params, query }) {
      const overlapHours = Number(query.overlap_hours ?? OVERLAP_HOURS.usual);
      return rotateSecret(deps, caller, { id: webhookId(params), overlapHours });
    },
  };
}
