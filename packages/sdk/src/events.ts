import type { BodyOf, Delivery, Event, SuccessOf, Webhook } from '@svc/contract/types';
import type { CallOptions } from './operations.ts';
import { paged } from './paged.ts';
import type { CursorStart, Paged } from './paged.ts';
import type { Transport } from './transport.ts';

/** Events and webhooks (docs/webhooks.md). */
export function eventCalls(transport: Transport) {
  return {
    /**
     * The events of the account's etches and challenges, oldest first, up to now. To continue later, store the `next_cursor` of the last page,
     * which is never null, and pass it as `cursor`.
     * @example
     * const seen = [];
     * for await (const { type } of client.events()) seen.push(type);
     * seen.includes('etch.anchored'); // true
     * const { page } = await client.events({ limit: 100 }).first();
     * const later = await client.events({ cursor: page.next_cursor }).first();
     * later.events.length < 100; // true
     */
    events: ({ signal, ...query }: CursorStart = {}): Paged<Event, SuccessOf<'listEvents'>> =>
      paged({
        fetch: async (next) =>
          (await transport.call('listEvents', { query: { ...query, cursor: next ?? query.cursor }, signal }))
            .value,
        items: ({ events }) => events,
      }),
    webhooks: {
      /**
       * The account's webhooks, oldest first.
       * @example
       * (await client.webhooks.list()).length >= 0; // true
       */
      async list(options: CallOptions = {}): Promise<Webhook[]> {
        return (await transport.call('listWebhooks', options)).value.webhooks;
      },
      /**
       * Adds a webhook, which sends events to a url. Only this answer contains its signing secret.
       * @example
       * const { webhook, secret } = await client.webhooks.create({ url: 'https://hooks.example.org/svc' });
       * secret.startsWith('whsec_'); // true
       * await client.webhooks.remove(webhook.id);
       */
      async create(
        body: BodyOf<'createWebhook'>,
        options: CallOptions = {},
      ): Promise<SuccessOf<'createWebhook'>> {
        return (await transport.call('createWebhook', { body, ...options })).value;
      },
      /**
       * Removes a webhook and its log. Pending deliveries are not sent.
       * @example
       * const { webhook } = await client.webhooks.create({ url: 'https://hooks.example.org/svc' });
       * (await client.webhooks.remove(webhook.id)).id; // webhook.id
       */
      async remove(id: string, options: CallOptions = {}): Promise<Webhook> {
        return (await transport.call('deleteWebhook', { params: { id }, ...options })).value.webhook;
      },
      /**
       * Sends a test event now, once. @returns the delivery: `delivered`, or `failed` with its reason
       * @throws {ApiError} `rate_limited` a few seconds after another test
       * @example
       * const { webhook } = await client.webhooks.create({ url: 'https://hooks.example.invalid/svc' });
       * const { state, type } = await client.webhooks.ping(webhook.id);
       * [state, type]; // ['failed', 'ping']
       * await client.webhooks.remove(webhook.id);
       */
      async ping(id: string, options: CallOptions = {}): Promise<Delivery> {
        return (await transport.call('pingWebhook', { params: { id }, ...options })).value.delivery;
      },
      /**
       * Pauses a webhook. New events wait until it is resumed.
       * @example
       * const { webhook } = await client.webhooks.create({ url: 'https://hooks.example.org/svc' });
       * (await client.webhooks.pause(webhook.id)).paused_at === null; // false
       * await client.webhooks.remove(webhook.id);
       */
      async pause(id: string, options: CallOptions = {}): Promise<Webhook> {
        return (await transport.call('pauseWebhook', { params: { id }, ...options })).value.webhook;
      },
      /**
       * Resumes a webhook. It sends the waiting events, oldest first, and all new ones.
       * @example
       * const { webhook } = await client.webhooks.create({ url: 'https://hooks.example.org/svc' });
       * await client.webhooks.pause(webhook.id);
       * (await client.webhooks.resume(webhook.id)).paused_at; // null
       * await client.webhooks.remove(webhook.id);
       */
      async resume(id: string, options: CallOptions = {}): Promise<Webhook> {
        return (await transport.call('resumeWebhook', { params: { id }, ...options })).value.webhook;
      },
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
      async redeliver(id: string, eventId: string, options: CallOptions = {}): Promise<Delivery> {
        const params = { id, event_id: eventId };
        return (await transport.call('redeliver', { params, ...options })).value.delivery;
      },
      /**
       * Makes a new signing secret. Only this answer contains it. Older secrets sign too for `overlapHours` (default: 24).
       * @example
       * const { webhook } = await client.webhooks.create({ url: 'https://hooks.example.org/svc' });
       * const { secret } = await client.webhooks.rotateSecret(webhook.id, { overlapHours: 1 });
       * secret.startsWith('whsec_'); // true
       * await client.webhooks.remove(webhook.id);
       */
      async rotateSecret(
        id: string,
        { overlapHours, ...options }: CallOptions & { readonly overlapHours?: number | undefined } = {},
      ): Promise<SuccessOf<'rotateWebhookSecret'>> {
        const query = { overlap_hours: overlapHours };
        return (await transport.call('rotateWebhookSecret', { params: { id }, query, ...options })).value;
      },
      /**
       * Sent and waiting deliveries, newest first.
       * @example
       * const { webhook } = await client.webhooks.create({ url: 'https://hooks.example.org/svc' });
       * (await client.webhooks.deliveries(webhook.id).first()).deliveries; // []
       * await client.webhooks.remove(webhook.id);
       */
      deliveries: (
        id: string,
        { signal, ...query }: CursorStart = {},
      ): Paged<Delivery, SuccessOf<'listDeliveries'>> =>
        paged({
          fetch: async (next) => {
            const whole = { ...query, cursor: next ?? query.cursor };
            return (await transport.call('listDeliveries', { params: { id }, query: whole, signal })).value;
          },
          items: ({ deliveries }) => deliveries,
        }),
    },
  };
}
