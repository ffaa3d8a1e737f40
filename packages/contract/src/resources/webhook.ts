import { Type, type Static } from 'typebox';
import { Count, Time, Url, Uuid, nullable, oneOf, shape } from '../fields.ts';
import { EVENT_TYPES } from './event.ts';

export const WEBHOOK_URL_MAX = 500;

export const Webhook = shape('Webhook', {
  id: Uuid,
  url: Url,
  types: Type.Array(oneOf(EVENT_TYPES), { description: 'The types of events it is sent.' }),
  created_at: Time,
  last_delivered_at: nullable(Time),
  failing_since: nullable(Time),
  disabled_at: nullable(Time),
  disabled_reason: nullable(Type.String()),
  old_secrets_until: nullable(
    Type.String({
      ...Time,
      description: 'After a rotation, until when deliveries carry a signature under an older secret as well.',
    }),
  ),
});
export type Webhook = Static<typeof Webhook>;

export const WebhookSecret = Type.String({
  pattern: '^whsec_',
  description: 'The key of the signatures, shown this once (Standard Webhooks).',
});

/** Hours for which the secret before a rotation still signs, unless told; and at most. */
export const OVERLAP_HOURS = { usual: 24, most: 168 } as const;

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;

/** What is sent when somebody asks whether a webhook works: no event, and in no list of them. */
export const PING = 'ping';
const DELIVERY_TYPES = [...EVENT_TYPES, PING] as const;

export const Delivery = shape('Delivery', {
  event_id: Uuid,
  type: oneOf(DELIVERY_TYPES, 'The type of the event, or `ping` of a test.'),
  state: oneOf(DELIVERY_STATES, '`pending` is tried again, `failed` is given up.'),
  attempts: Count,
  created_at: Time,
  last_attempt_at: nullable(Time),
  next_attempt_at: nullable(Time),
  last_status: nullable(Type.Integer({ description: 'HTTP status of the last answer.' })),
  problem: nullable(Type.String({ description: 'Why the last attempt failed.' })),
});
export type Delivery = Static<typeof Delivery>;

/** The body of a ping, as a receiver gets it. */
export interface Ping {
  id: string;
  type: typeof PING;
  timestamp: string;
  data: { webhook: Webhook };
}
