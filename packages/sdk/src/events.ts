import type { BodyOf, Delivery, Event, SuccessOf, Webhook } from '@svc/contract/types';
import type { CallOptions } from './operations.ts';
import { paged } from './paged.ts';
import type { CursorStart, Paged } from './paged.ts';
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
    events: ({ signal, ...query }: CursorStart = {}): Paged<Event, SuccessOf<'listEvents'>> =>
      paged({
        fetch: async (next) =>
          (await transport.call('listEvents', { query: { ...query, cursor: next ?? query.cursor }, signal }))
            .value,
        items: ({ events }) => events,
      }),
    webhooks: {
      /**
       * Oldest first.
       * @example
       * (await client.webhooks.list()).length >= 0; // true
       */
      async list(options: CallOptions = {}): Promise<Webhook[]> {
        return (await transport.call('listWebhooks', options)).value.webhooks;
      },
      /**
       * Only this answer contains the signing secret.
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
       * Discards pending deliveries and the log.
       * @example
       * const { webhook } = await client.webhooks.create({ url: 'https://hooks.example.org/svc' });
       * (await client.webhooks.remove(webhook.id)).id; // webhook.id
       */
      async remove(id: string, options: CallOptions = {}): Promise<Webhook> {
        return (await transport.call('deleteWebhook', { params: { id }, ...options })).value.webhook;
      },
      /**
       * Sends one test event now.
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
       * New events wait.
       * @example
       * const { webhook } = await client.webhooks.create({ url: 'https://hooks.example.org/svc' });
       * (await client.webhooks.pause(webhook.id)).paused_at === null; // false
       * await client.webhooks.remove(webhook.id);
       */
      async pause(id: string, options: CallOptions = {}): Promise<Webhook> {
        return (await transport.call('pauseWebhook', { params: { id }, ...options })).value.webhook;
      },
      /**
       * Sends the waiting events, oldest first.
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
       * Only this answer contains the new secret. Older secrets also sign for `overlapHours` (default: 24).
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
