import type { BodyOf, Delivery, SuccessOf, Webhook } from '@svc/contract/types';
import type { CallOptions } from './operations.ts';
import { type CursorStart, list } from './paged.ts';
import type { Transport } from './transport.ts';

export function eventCalls(transport: Transport) {
  return {
    /**
     * The events of the account's etches and challenges, oldest first (docs/webhooks.md). The last page has a
     * `next_cursor` too: pass it as `cursor` to continue later.
     * @example
     * const seen = [];
     * for await (const { type } of client.events()) seen.push(type);
     * seen.includes('etch.anchored'); // true
     */
    events: (query: CursorStart = {}) => list(transport, 'listEvents', 'events', query),
    webhooks: {
      /**
       * Oldest first.
       * @example
       * (await client.webhooks.list()).length >= 0; // true
       */
      list: (options: CallOptions = {}): Promise<Webhook[]> =>
        transport.field('listWebhooks', 'webhooks', options),
      /**
       * Only this answer contains the signing secret.
       * @example
       * const { webhook, secret } = await client.webhooks.create({ url: 'https://hooks.example.org/svc' });
       * secret.startsWith('whsec_'); // true
       * await client.webhooks.remove(webhook.id);
       */
      create: (
        body: BodyOf<'createWebhook'>,
        options: CallOptions = {},
      ): Promise<SuccessOf<'createWebhook'>> => transport.value('createWebhook', { body, ...options }),
      /**
       * Discards pending deliveries and the log.
       * @example
       * const { webhook } = await client.webhooks.create({ url: 'https://hooks.example.org/svc' });
       * (await client.webhooks.remove(webhook.id)).id; // webhook.id
       */
      remove: (id: string, options: CallOptions = {}): Promise<Webhook> =>
        transport.field('deleteWebhook', 'webhook', { params: { id }, ...options }),
      /**
       * Sends one test event now.
       * @throws {ApiError} `rate_limited` a few seconds after another test
       * @example
       * const { webhook } = await client.webhooks.create({ url: 'https://hooks.example.invalid/svc' });
       * const { state, type } = await client.webhooks.ping(webhook.id);
       * [state, type]; // ['failed', 'ping']
       * await client.webhooks.remove(webhook.id);
       */
      ping: (id: string, options: CallOptions = {}): Promise<Delivery> =>
        transport.field('pingWebhook', 'delivery', { params: { id }, ...options }),
      /**
       * New events wait.
       * @example
       * const { webhook } = await client.webhooks.create({ url: 'https://hooks.example.org/svc' });
       * (await client.webhooks.pause(webhook.id)).paused_at === null; // false
       * await client.webhooks.remove(webhook.id);
       */
      pause: (id: string, options: CallOptions = {}): Promise<Webhook> =>
        transport.field('pauseWebhook', 'webhook', { params: { id }, ...options }),
      /**
       * Sends the waiting events, oldest first.
       * @example
       * const { webhook } = await client.webhooks.create({ url: 'https://hooks.example.org/svc' });
       * await client.webhooks.pause(webhook.id);
       * (await client.webhooks.resume(webhook.id)).paused_at; // null
       * await client.webhooks.remove(webhook.id);
       */
      resume: (id: string, options: CallOptions = {}): Promise<Webhook> =>
        transport.field('resumeWebhook', 'webhook', { params: { id }, ...options }),
      /**
       * Sends an event of the log again, under the same `webhook-id`.
       * @throws {ApiError} `not_found` when the log has no such event
       * @example
       * const { webhook } = await client.webhooks.create({ url: 'https://hooks.example.org/svc' });
       * try {
       *   await client.webhooks.redeliver(webhook.id, etch.id);
       * } catch (error) {
       *   error.code; // 'not_found'
       * }
       * await client.webhooks.remove(webhook.id);
       */
      redeliver: (id: string, eventId: string, options: CallOptions = {}): Promise<Delivery> =>
        transport.field('redeliver', 'delivery', { params: { id, event_id: eventId }, ...options }),
      /**
       * Only this answer contains the new secret. Older secrets also sign for `overlapHours` (default: 24).
       * @example
       * const { webhook } = await client.webhooks.create({ url: 'https://hooks.example.org/svc' });
       * const { secret } = await client.webhooks.rotateSecret(webhook.id, { overlapHours: 1 });
       * secret.startsWith('whsec_'); // true
       * await client.webhooks.remove(webhook.id);
       */
      rotateSecret: (
        id: string,
        { overlapHours, ...options }: CallOptions & { readonly overlapHours?: number | undefined } = {},
      ): Promise<SuccessOf<'rotateWebhookSecret'>> =>
        transport.value('rotateWebhookSecret', {
          params: { id },
          query: { overlap_hours: overlapHours },
          ...options,
        }),
      /**
       * Sent and waiting deliveries, newest first.
       * @example
       * const { webhook } = await client.webhooks.create({ url: 'https://hooks.example.org/svc' });
       * (await client.webhooks.deliveries(webhook.id).first()).deliveries; // []
       * await client.webhooks.remove(webhook.id);
       */
      deliveries: (id: string, query: CursorStart = {}) =>
        list(transport, 'listDeliveries', 'deliveries', query, { id }),
    },
  };
}
