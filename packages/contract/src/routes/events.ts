import { Type } from 'typebox';
import { cursorPage } from '../examples/batch.ts';
import { askedAgain, delivery, event, ping, webhook, webhookSecret } from '../examples/webhook.ts';
import { envelope, listOf, looseTextField, oneOf, request } from '../fields.ts';
import { EVENT_TYPES, Event, EventPage } from '../resources/event.ts';
import { CursorPage } from '../resources/page.ts';
import { Delivery, OVERLAP_HOURS, WEBHOOK_URL_MAX, Webhook, WebhookSecret } from '../resources/webhook.ts';
import { cursorQuery, idParams } from './inputs.ts';
import { created, DELETE, GET, ok, POST, routes } from './route.ts';

export const CreateWebhookBody = request({
  url: looseTextField(
    `The URL that receives events by POST: https, a public host name, the default port; at most ${WEBHOOK_URL_MAX} characters.`,
    { minLength: 1, maxLength: WEBHOOK_URL_MAX },
  ),
  types: Type.Optional(
    Type.Array(oneOf(EVENT_TYPES), {
      minItems: 1,
      maxItems: 16,
      description: 'The event types; default: all.',
    }),
  ),
});

const overlapField = Type.String({
  pattern: '^(?:[0-9]|[1-9][0-9]|1[0-5][0-9]|16[0-8])$',
  'x-message': `must be a whole number from 0 to ${OVERLAP_HOURS.most}`,
  'x-shown-as': { type: 'integer', minimum: 0, maximum: OVERLAP_HOURS.most },
  description: `For how many hours older secrets also sign; default: ${OVERLAP_HOURS.usual}. 0 ends all of them at once.`,
});

const UNKNOWN = 'The account has no webhook with this id, or webhooks are disabled.';

export const eventRoutes = routes('Events', {
  listEvents: GET('/me/events', 'caller', 'List events', {
    description:
      "Events of the account's etches and challenges, oldest first. Pass `next_cursor` later to continue from there.",
    query: request(cursorQuery),
    success: ok(
      'Events, each with its current public etch or challenge.',
      envelope({
        events: listOf(Event, 'The events of this page, oldest first.'),
        page: EventPage,
      }),
      { events: [event], page: { ...cursorPage, next_cursor: 'sGq0TtN2m0b1vQ' } },
    ),
    refusals: { 400: '`limit` or `cursor` is not valid.' },
    extra: true,
  }),
  listWebhooks: GET('/me/webhooks', 'caller', 'List webhooks', {
    success: ok(
      "The account's webhooks, oldest first, without their secrets.",
      envelope({ webhooks: listOf(Webhook, 'The webhooks, oldest first.') }),
      { webhooks: [webhook] },
    ),
    refusals: { 404: 'Webhooks are disabled.' },
    extra: true,
  }),
  createWebhook: POST('/me/webhooks', 'write', 'Add a webhook', {
    // Only this answer contains the secret, so a webhook whose answer was lost is useless.
    mark: 'secret',
    description:
      'New events are sent to the URL at least once, signed as in Standard Webhooks, and retried for days. Only this answer contains the secret.',
    body: CreateWebhookBody,
    bodyExample: { url: webhook.url, types: webhook.types },
    success: created('The webhook and its secret.', envelope({ webhook: Webhook, secret: WebhookSecret }), {
      webhook,
      secret: webhookSecret,
    }),
    refusals: {
      400: 'The request is not valid, or the URL is not a public https URL.',
      404: 'Webhooks are disabled.',
      409: 'The account has the maximum number of webhooks.',
    },
    extra: true,
  }),
  deleteWebhook: DELETE('/me/webhooks/{id}', 'write', 'Remove a webhook', {
    description: 'Deletes its log too. Undelivered events are no longer sent.',
    whileSuspended: true,
    params: idParams('webhook'),
    success: ok('The removed webhook.', envelope({ webhook: Webhook }), { webhook }),
    refusals: { 404: UNKNOWN },
    extra: true,
  }),
  listDeliveries: GET('/me/webhooks/{id}/deliveries', 'caller', 'Read the log of a webhook', {
    description: 'Sent and waiting deliveries, newest first.',
    params: idParams('webhook'),
    query: request(cursorQuery),
    success: ok(
      'Deliveries.',
      envelope({
        deliveries: listOf(Delivery, 'The deliveries of this page, newest first.'),
        page: CursorPage,
      }),
      { deliveries: [delivery], page: cursorPage },
    ),
    refusals: { 400: '`limit` or `cursor` is not valid.', 404: UNKNOWN },
    extra: true,
  }),
  pingWebhook: POST('/me/webhooks/{id}/ping', 'write', 'Test a webhook', {
    description:
      'Sends one signed `ping` at once and returns the result. A received ping ends a pause after failures and enables a disabled webhook. The log keeps only the last ping.',
    params: idParams('webhook'),
    success: ok('The delivery: `delivered`, or `failed` with its reason.', envelope({ delivery: Delivery }), {
      delivery: ping,
    }),
    refusals: {
      404: UNKNOWN,
      429: "The webhook was pinged a few seconds ago, or the key's requests for this minute are used up.",
    },
    extra: true,
  }),
  pauseWebhook: POST('/me/webhooks/{id}/pause', 'write', 'Pause a webhook', {
    repeatable: true,
    description: 'Only pings are sent until it is resumed. Events wait for as long as events are stored.',
    whileSuspended: true,
    params: idParams('webhook'),
    success: ok('The webhook. If it was paused already, nothing changes.', envelope({ webhook: Webhook }), {
      webhook: { ...webhook, paused_at: '2026-01-02T03:05:00.000Z' },
    }),
    refusals: { 404: UNKNOWN },
    extra: true,
  }),
  resumeWebhook: POST('/me/webhooks/{id}/resume', 'write', 'Resume a webhook', {
    repeatable: true,
    description: 'Events that waited are sent, oldest first, and then new ones.',
    params: idParams('webhook'),
    success: ok('The webhook. If it was not paused, nothing changes.', envelope({ webhook: Webhook }), {
      webhook,
    }),
    refusals: { 404: UNKNOWN },
    extra: true,
  }),
  redeliver: POST('/me/webhooks/{id}/deliveries/{event_id}/redeliver', 'write', 'Send an event again', {
    repeatable: true,
    description:
      'Sends a delivered or failed event again under the same `webhook-id`, with the record as it is public then, and retries it like a new one. A waiting delivery is sent next.',
    params: request({
      ...idParams('webhook').properties,
      event_id: Type.String({
        description: "The event's id, a UUID, as in the log.",
        'x-shown-as': { type: 'string', format: 'uuid' },
      }),
    }),
    success: ok('The waiting delivery.', envelope({ delivery: Delivery }), { delivery: askedAgain }),
    refusals: {
      404: 'The account has no webhook with this id, its log has no delivery of this event, or webhooks are disabled.',
      409: 'The webhook is disabled, or the delivery was a ping.',
    },
    extra: true,
  }),
  rotateWebhookSecret: POST('/me/webhooks/{id}/rotate-secret', 'write', 'Change the secret of a webhook', {
    mark: 'secret',
    description:
      'Deliveries are signed with the new secret and, for some hours, with the older ones too, so that a receiver can switch. `webhook-signature` then has several signatures; libraries for Standard Webhooks accept any one. Only this answer contains the secret.',
    params: idParams('webhook'),
    query: request({ overlap_hours: Type.Optional(overlapField) }),
    success: ok('The webhook and its new secret.', envelope({ webhook: Webhook, secret: WebhookSecret }), {
      webhook: { ...webhook, old_secrets_until: '2026-01-03T03:05:00.000Z' },
      secret: webhookSecret,
    }),
    refusals: {
      400: '`overlap_hours` is not valid.',
      404: UNKNOWN,
      409: 'The maximum number of older secrets still sign.',
    },
    extra: true,
  }),
});
