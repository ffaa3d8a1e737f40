// One attempt to deliver an event, and when the next one may follow.
import type { Event as EventView, Ping } from '@svc/contract';
import { createHmac } from 'node:crypto';
import { type Clock, toTime } from '../../db/clock.ts';
import type { Db } from '../../db/db.ts';
import {
  type GuardedOptions,
  guardedRequest,
  GuardRefused,
} from '../../platform/outgoing/guarded-request.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';
import { readSigningSecrets } from './secret-store.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const PAUSES = [
  5 * SECOND,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

export const DISABLED_AFTER_MS = 72 * HOUR;

/** A slower answer pauses the webhook like a failure. */
export const SLOW_AFTER_MS = 3_000;

/** A longer `Retry-After` would block the webhook's other deliveries. */
const LONGEST_RETRY_AFTER_MS = 24 * HOUR;

const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

export function readRetryAfter(header: string | undefined, now: number): number {
  const text = header?.trim() ?? '';
  const milliseconds = /^\d+$/.test(text)
    ? Number(text) * SECOND
    : HTTP_DATE.test(text)
      ? Date.parse(text) - now
      : 0;
  return Number.isNaN(milliseconds) ? 0 : Math.min(Math.max(milliseconds, 0), LONGEST_RETRY_AFTER_MS);
}

/**
 * Returns null to give up. The pause is random, so that failed deliveries do not retry together, and never shorter
 * than `Retry-After`.
 */
export function pauseAfter(attempts: number, retryAfterMs: number, chance: number): number | null {
  const pause = PAUSES[attempts - 1];
  if (pause === undefined) return null;
  return Math.max(pause * (0.8 + 0.4 * chance), retryAfterMs);
}

export const breakAfter = (failures: number): number =>
  Math.min(2 ** Math.min(failures, 20) * SECOND, 5 * MINUTE);

export interface AttemptDependencies {
  db: Db;
  clock: Clock;
  keyring: Keyring;
  guard: GuardedOptions;
  log: { info(fields: object, message: string): void };
}

const TIMEOUT_MS = 10_000;

export interface AttemptResult {
  at: string;
  status: number | null;
  problem: string | null;
  retryAfterMs: number;
  slow: boolean;
}

/** The log line leaves the URL out, because it may contain a secret. */
export async function makeAttempt(
  parts: AttemptDependencies,
  to: { webhook: string; url: string; attempt: number },
  event: EventView | Ping,
): Promise<AttemptResult> {
  const { webhook, attempt } = to;
  const started = performance.now();
  const sent = await post(parts, to, event);
  const { status, problem } = sent;
  parts.log.info(
    {
      webhook,
      event: event.id,
      type: event.type,
      attempt,
      status,
      ms: Math.round(performance.now() - started),
      ...(problem !== null && { problem }),
    },
    problem === null ? 'a webhook was delivered' : 'a webhook was not delivered',
  );
  return sent;
}

async function post(
  { db, clock, keyring, guard }: AttemptDependencies,
  { webhook, url: text }: { webhook: string; url: string },
  event: EventView | Ping,
): Promise<AttemptResult> {
  const now = clock.now();
  const secrets = await readSigningSecrets(db, webhook, toTime(now));
  const body = JSON.stringify(event);
  const url = new URL(text);
  const sent = { at: toTime(now), status: null, problem: null, retryAfterMs: 0, slow: false };
  const started = performance.now();
  try {
    const { status, headers } = await guardedRequest(
      {
        method: 'POST',
        host: url.hostname,
        path: url.pathname + url.search,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'svc-webhooks',
          ...signatureHeaders(
            secrets.map((secret) => keyring.open('webhook', secret, webhook)),
            event.id,
            Math.floor(now / 1000),
            body,
          ),
        },
        body,
        wantsText: () => false,
      },
      { timeoutMs: TIMEOUT_MS, ...guard },
    );
    const good = status >= 200 && status < 300;
    const redirects = status >= 300 && status < 400;
    return {
      ...sent,
      status,
      problem: good ? null : redirects ? 'redirects, which is not followed' : `answered ${status}`,
      retryAfterMs: readRetryAfter(headers['retry-after'], clock.now()),
      slow: performance.now() - started > SLOW_AFTER_MS,
    };
  } catch (error) {
    if (!(error instanceof GuardRefused)) throw error;
    return { ...sent, problem: error.message };
  }
}

/** Standard Webhooks 1.0: HMAC-SHA-256 over id, seconds and body, one per secret. */
function signatureHeaders(secrets: readonly Buffer[], id: string, seconds: number, body: string) {
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  };
}
