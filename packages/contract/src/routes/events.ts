import { Type } from 'typebox';
import { cursorPage } from '../examples/batch.ts';
import { askedAgain, delivery, event, ping, webhook, webhookSecret } from '../examples/webhook.ts';
import { envelope, looseTextField, oneOf, request } from '../fields.ts';
import { EVENT_TYPES, Event, EventPage } from '../resources/event.ts';
import { CursorPage } from '../resources/page.ts';
import { Delivery, OVERLAP_HOURS, WEBHOOK_URL_MAX, Webhook, WebhookSecret } from '../resources/webhook.ts';
import { cursorQuery, idParams } from './inputs.ts';
import { route } from './route.ts';

export const CreateWebhookBody = request({
  url: looseTextField(
    `Where events are sent by POST: https, a public host name, its usual port; at most ${WEBHOOK_URL_MAX} characters.`,
    { minLength: 1, maxLength: WEBHOOK_URL_MAX },
  ),
  types: Type.Optional(
    Type.Array(oneOf(EVENT_TYPES), {
      minItems: 1,
      maxItems: 16,
      description: 'Which events; all of them unless told.',
    }),
  ),
});

const overlapField = Type.String({
  pattern: '^(?:[0-9]|[1-9][0-9]|1[0-5][0-9]|16[0-8])$',
  'x-message': `must be a whole number from 0 to ${OVERLAP_HOURS.most}`,
  'x-shown-as': { type: 'integer', minimum: 0, maximum: OVERLAP_HOURS.most },
  description: `For how many hours older secrets still sign beside the new one; ${OVERLAP_HOURS.usual} unless told. With 0 they cease at once, all of them.`,
});

const deliveryParams = request({
  ...idParams('webhook').properties,
  event_id: Type.String({
    description: "The event's id, a UUID, as the log has it.",
    'x-shown-as': { type: 'string', format: 'uuid' },
  }),
});

const UNKNOWN = 'The account has no webhook with this id, or webhooks are off here.';

export const eventRoutes = {
  listEvents: route({
    operationId: 'listEvents',
    method: 'GET',
    path: '/api/v1/me/events',
    summary: 'Read what happened',
    description:
      "Events of the account's etches and challenges, oldest first. Keep `next_cursor` and pass it later to go on from there, as often as wanted.",
    tag: 'Events',
    auth: 'caller',
    query: request(cursorQuery),
    success: {
      status: 200,
      description: 'Events, each with its etch or challenge as it is public now.',
      schema: envelope({
        events: Type.Array(Event, { description: 'The events of this page, oldest first.' }),
        page: EventPage,
      }),
      example: { events: [event], page: { ...cursorPage, next_cursor: 'sGq0TtN2m0b1vQ' } },
    },
    refusals: { 400: '`limit` or `cursor` is not valid.' },
    extra: true,
  }),
  listWebhooks: route({
    operationId: 'listWebhooks',
    method: 'GET',
    path: '/api/v1/me/webhooks',
    summary: 'List webhooks',
    tag: 'Events',
    auth: 'caller',
    success: {
      status: 200,
      description: "The account's webhooks, oldest first; their secrets are not shown again.",
      schema: envelope({ webhooks: Type.Array(Webhook, { description: 'The webhooks, oldest first.' }) }),
      example: { webhooks: [webhook] },
    },
    refusals: { 404: 'Webhooks are off here.' },
    extra: true,
  }),
  createWebhook: route({
    operationId: 'createWebhook',
    method: 'POST',
    path: '/api/v1/me/webhooks',
    summary: 'Add a webhook',
    description:
      'From now on events are sent to the url, signed as Standard Webhooks says, at least once each and tried again for days. The secret is in this answer and nowhere else.',
    tag: 'Events',
    auth: 'write',
    body: CreateWebhookBody,
    bodyExample: { url: webhook.url, types: webhook.types },
    success: {
      status: 201,
      description: 'The webhook and its secret.',
      schema: envelope({ webhook: Webhook, secret: WebhookSecret }),
      example: { webhook, secret: webhookSecret },
    },
    refusals: {
      400: 'The request is not valid, or the url is not a public https one.',
      404: 'Webhooks are off here.',
      409: 'The account has as many webhooks as it may.',
    },
    extra: true,
  }),
  deleteWebhook: route({
    operationId: 'deleteWebhook',
    method: 'DELETE',
    path: '/api/v1/me/webhooks/{id}',
    summary: 'Remove a webhook',
    description: 'With its log; what was not delivered yet is not sent any more.',
    tag: 'Events',
    auth: 'write',
    whileSuspended: true,
    params: idParams('webhook'),
    success: {
      status: 200,
      description: 'The webhook as it was.',
      schema: envelope({ webhook: Webhook }),
      example: { webhook },
    },
    refusals: { 404: UNKNOWN },
    extra: true,
  }),
  listDeliveries: route({
    operationId: 'listDeliveries',
    method: 'GET',
    path: '/api/v1/me/webhooks/{id}/deliveries',
    summary: 'Read the log of a webhook',
    description: 'What was sent or waits to be, newest first.',
    tag: 'Events',
    auth: 'caller',
    params: idParams('webhook'),
    query: request(cursorQuery),
    success: {
      status: 200,
      description: 'Deliveries.',
      schema: envelope({
        deliveries: Type.Array(Delivery, { description: 'The deliveries of this page, newest first.' }),
        page: CursorPage,
      }),
      example: { deliveries: [delivery], page: cursorPage },
    },
    refusals: { 400: '`limit` or `cursor` is not valid.', 404: UNKNOWN },
    extra: true,
  }),
  pingWebhook: route({
    operationId: 'pingWebhook',
    method: 'POST',
    path: '/api/v1/me/webhooks/{id}/ping',
    summary: 'Test a webhook',
    description:
      'Sends a `ping`, signed like everything else, once and at once, and answers what came of it. One that is received ends a pause after failures, and enables a webhook that was disabled. Of pings the log holds the last one.',
    tag: 'Events',
    auth: 'write',
    params: idParams('webhook'),
    success: {
      status: 200,
      description: 'The delivery: `delivered`, or `failed` with its reason.',
      schema: envelope({ delivery: Delivery }),
      example: { delivery: ping },
    },
    refusals: {
      404: UNKNOWN,
      429: 'The webhook was pinged a few seconds ago, or the key has no requests left for this minute.',
    },
    extra: true,
  }),
  pauseWebhook: route({
    operationId: 'pauseWebhook',
    method: 'POST',
    path: '/api/v1/me/webhooks/{id}/pause',
    summary: 'Pause a webhook',
    description:
      'Nothing is sent to it until it is resumed, but pings. What happens meanwhile waits, for as long as events are kept.',
    tag: 'Events',
    auth: 'write',
    whileSuspended: true,
    params: idParams('webhook'),
    success: {
      status: 200,
      description: 'The webhook; one that was paused stays as it was.',
      schema: envelope({ webhook: Webhook }),
      example: { webhook: { ...webhook, paused_at: '2026-01-02T03:05:00.000Z' } },
    },
    refusals: { 404: UNKNOWN },
    extra: true,
  }),
  resumeWebhook: route({
    operationId: 'resumeWebhook',
    method: 'POST',
    path: '/api/v1/me/webhooks/{id}/resume',
    summary: 'Resume a webhook',
    description: 'What waited while it was paused is sent, oldest first, and whatever happens from now on.',
    tag: 'Events',
    auth: 'write',
    params: idParams('webhook'),
    success: {
      status: 200,
      description: 'The webhook; one that was not paused stays as it was.',
      schema: envelope({ webhook: Webhook }),
      example: { webhook },
    },
    refusals: { 404: UNKNOWN },
    extra: true,
  }),
  redeliver: route({
    operationId: 'redeliver',
    method: 'POST',
    path: '/api/v1/me/webhooks/{id}/deliveries/{event_id}/redeliver',
    summary: 'Send an event again',
    description:
      'One delivery of the log, received or given up, is sent again under the same `webhook-id`, with the record as it is public then, and tried as often as a new one. One that still waits is sent next.',
    tag: 'Events',
    auth: 'write',
    params: deliveryParams,
    success: {
      status: 200,
      description: 'The delivery, which waits to be sent.',
      schema: envelope({ delivery: Delivery }),
      example: { delivery: askedAgain },
    },
    refusals: {
      404: 'The account has no webhook with this id, its log no delivery of this event, or webhooks are off here.',
      409: 'The webhook is disabled, or the delivery was a ping.',
    },
    extra: true,
  }),
  rotateWebhookSecret: route({
    operationId: 'rotateWebhookSecret',
    method: 'POST',
    path: '/api/v1/me/webhooks/{id}/rotate-secret',
    summary: 'Change the secret of a webhook',
    description:
      'Everything is signed under the new secret from now on, and for some hours under the older ones as well, so that a receiver can change its own in peace: `webhook-signature` then holds several signatures, of which any library of Standard Webhooks needs one. The secret is in this answer and nowhere else.',
    tag: 'Events',
    auth: 'write',
    params: idParams('webhook'),
    query: request({ overlap_hours: Type.Optional(overlapField) }),
    success: {
      status: 200,
      description: 'The webhook and its new secret.',
      schema: envelope({ webhook: Webhook, secret: WebhookSecret }),
      example: {
        webhook: { ...webhook, old_secrets_until: '2026-01-03T03:05:00.000Z' },
        secret: webhookSecret,
      },
    },
    refusals: {
      400: '`overlap_hours` is not valid.',
      404: UNKNOWN,
      409: 'As many older secrets as may sign still do.',
    },
    extra: true,
  }),
};
