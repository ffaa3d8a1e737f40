import { Type, type Static } from 'typebox';
import { Count, Time, Url, Uuid, envelope, listOf, nullable, oneOf, shape, doc } from '../fields.ts';
import { EVENT_TYPES } from './event.ts';

export const WEBHOOK_URL_MAX = 500;

export const Webhook = shape('Webhook', 'A URL of the account that receives events.', {
  id: doc(Uuid, "The webhook's id."),
  url: doc(Url, 'Where events are sent.'),
  types: listOf(oneOf(EVENT_TYPES), 'The event types that it receives.'),
  created_at: doc(Time, 'When it was added.'),
  last_delivered_at: nullable(Time, 'When an event was last delivered; null before the first.'),
  paused_at: nullable(Time, 'When the account paused it, or null. Events wait until it is resumed.'),
  failing_since: nullable(Time, 'When deliveries began to fail; null while it works.'),
  disabled_at: nullable(Time, 'When it was disabled; null while it is enabled.'),
  disabled_reason: nullable(Type.String(), 'Why it was disabled; null while it is enabled.'),
  old_secrets_until: nullable(
    Time,
    'After a rotation: until when deliveries are also signed with older secrets; otherwise null.',
  ),
});
export type Webhook = Static<typeof Webhook>;

export const WebhookSecret = Type.String({
  pattern: '^whsec_',
  description: 'The signing secret (Standard Webhooks). It is shown only once.',
});

/** The old secret also signs after a rotation. */
export const OVERLAP_HOURS = { usual: 24, most: 168 } as const;

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;

/** Not an event. */
export const PING = 'ping';
const DELIVERY_TYPES = [...EVENT_TYPES, PING] as const;

export const Delivery = shape('Delivery', 'The delivery of an event to a webhook.', {
  event_id: doc(Uuid, "The event's id: the header `webhook-id`."),
  type: oneOf(DELIVERY_TYPES, 'The type of the event, or `ping` for a test.'),
  state: oneOf(DELIVERY_STATES, '`pending` is retried, `failed` is not.'),
  attempts: doc(Count, 'The number of attempts.'),
  created_at: doc(Time, 'When the first attempt was due.'),
  last_attempt_at: nullable(Time, 'When the last attempt was made; null before the first.'),
  next_attempt_at: nullable(Time, 'When the next attempt is due, or null.'),
  last_status: nullable(Type.Integer(), 'HTTP status of the last response; null if there was none.'),
  problem: nullable(Type.String(), 'Why the last attempt failed, or null.'),
});
export type Delivery = Static<typeof Delivery>;

export const Ping = shape('Ping', 'A test of the webhook.', {
  id: doc(Uuid, "The ping's id."),
  type: oneOf([PING], 'A test.'),
  timestamp: doc(Time, 'When it was requested.'),
  data: doc(envelope({ webhook: Webhook }), 'The webhook that is tested.'),
});
export type Ping = Static<typeof Ping>;
