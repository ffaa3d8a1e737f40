import type { Event } from '../resources/event.ts';
import type { Delivery, Webhook } from '../resources/webhook.ts';
import { revealedEtch } from './etch.ts';
import * as world from './shared-values.ts';

const webhookId = '2f6d1c9e-5b7a-4e03-8c41-d09a7e5b3f12';
const eventId = 'b7c0e4a8-93d1-4f5e-a6b2-1e8f70c4d935';

export const event: Event = {
  id: eventId,
  type: 'etch.anchored',
  timestamp: world.anchoredAt,
  data: { etch: revealedEtch },
};

export const webhook: Webhook = {
  id: webhookId,
  url: 'https://hooks.example.org/svc',
  types: ['etch.anchored', 'etch.revealed'],
  created_at: '2026-01-02T03:00:00.000Z',
  last_delivered_at: null,
  paused_at: null,
  failing_since: null,
  disabled_at: null,
  disabled_reason: null,
  old_secrets_until: null,
};

// Not a secret: it decodes to words.
export const webhookSecret = 'whsec_ZXhhbXBsZSBvZiBhIHdlYmhvb2sgc2VjcmV0ISE=';

export const delivery: Delivery = {
  event_id: eventId,
  type: 'etch.anchored',
  state: 'pending',
  attempts: 1,
  created_at: '2026-01-02T03:04:43.120Z',
  last_attempt_at: '2026-01-02T03:04:43.300Z',
  next_attempt_at: '2026-01-02T03:04:48.300Z',
  last_status: 502,
  problem: 'answered 502',
};

export const ping: Delivery = {
  event_id: '5d0e9b64-17c2-4c8a-9f3b-62a1d84e07b5',
  type: 'ping',
  state: 'delivered',
  attempts: 1,
  created_at: '2026-01-02T03:05:00.000Z',
  last_attempt_at: '2026-01-02T03:05:00.000Z',
  next_attempt_at: null,
  last_status: 204,
  problem: null,
};

export const askedAgain: Delivery = {
  ...delivery,
  attempts: 0,
  next_attempt_at: '2026-01-03T09:00:00.000Z',
};
