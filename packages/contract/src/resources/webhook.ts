import { Type, type Static } from 'typebox';
import { Count, Time, Url, Uuid, envelope, nullable, oneOf, shape, told } from '../fields.ts';
import { EVENT_TYPES } from './event.ts';

export const WEBHOOK_URL_MAX = 500;

export const Webhook = shape(
  'Webhook',
  {
    id: told(Uuid, "The webhook's id."),
    url: told(Url, 'Where events are sent.'),
    types: Type.Array(oneOf(EVENT_TYPES), { description: 'The types of events it is sent.' }),
    created_at: told(Time, 'When it was added.'),
    last_delivered_at: nullable(Time, 'When an event last arrived; null before.'),
    paused_at: nullable(
      Time,
      'Since when the account has it paused: what happens waits until it is resumed; null while it is not.',
    ),
    failing_since: nullable(Time, 'Since when nothing has arrived; null while it works.'),
    disabled_at: nullable(Time, 'When it was disabled; null while it is not.'),
    disabled_reason: nullable(Type.String(), 'Why it was disabled; null while it is not.'),
    old_secrets_until: nullable(
      Time,
      'After a rotation, until when deliveries carry a signature under an older secret as well; null when none does.',
    ),
  },
  'A url of the account that events are sent to.',
);
export type Webhook = Static<typeof Webhook>;

export const WebhookSecret = Type.String({
  pattern: '^whsec_',
  description: 'The key of the signatures, shown this once (Standard Webhooks).',
});

/** Hours for which the old secret still signs after a rotation: the default and the maximum. */
export const OVERLAP_HOURS = { usual: 24, most: 168 } as const;

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;

/** The test request for a webhook: not an event, and in no list of events. */
export const PING = 'ping';
const DELIVERY_TYPES = [...EVENT_TYPES, PING] as const;

export const Delivery = shape(
  'Delivery',
  {
    event_id: told(Uuid, "The event's id: the header `webhook-id`."),
    type: oneOf(DELIVERY_TYPES, 'The type of the event, or `ping` of a test.'),
    state: oneOf(DELIVERY_STATES, '`pending` is tried again, `failed` is given up.'),
    attempts: told(Count, 'How often it was tried.'),
    created_at: told(Time, 'When it was due first.'),
    last_attempt_at: nullable(Time, 'When it was last tried; null before.'),
    next_attempt_at: nullable(Time, 'When it is tried next; null when it is not.'),
    last_status: nullable(Type.Integer(), 'HTTP status of the last answer; null when there was none.'),
    problem: nullable(Type.String(), 'Why the last attempt failed; null when none did.'),
  },
  'One event on its way to one webhook.',
);
export type Delivery = Static<typeof Delivery>;

export const Ping = shape(
  'Ping',
  {
    id: told(Uuid, "The ping's id."),
    type: oneOf([PING], 'A test.'),
    timestamp: told(Time, 'When it was asked for.'),
    data: told(envelope({ webhook: Webhook }), 'The webhook that is tested.'),
  },
  'Somebody asked whether the webhook works.',
);
export type Ping = Static<typeof Ping>;
