import type { Ping, Event as EventView } from '@svc/contract';
import { type Clock, toTime } from '../../db/clock.ts';
import type { Db } from '../../db/db.ts';
import {
  type GuardedOptions,
  guardedRequest,
  GuardRefused,
} from '../../platform/outgoing/guarded-request.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';
import type { Attempt } from './delivery-store.ts';
import { readRetryAfter, SLOW_AFTER_MS } from './schedule.ts';
import { readSigningSecrets } from './secret-store.ts';
import { signatureHeaders } from './signature.ts';

export interface AttemptParts {
  db: Db;
  clock: Clock;
  keyring: Keyring;
  guard: GuardedOptions;
  log: { info(fields: object, message: string): void };
}

const TIMEOUT_MS = 10_000;

export interface Sent extends Attempt {
  retryAfterMs: number;
  slow: boolean;
}

/** The log line leaves the URL out, because it may contain a secret. */
export async function makeAttempt(
  parts: AttemptParts,
  to: { webhook: string; url: string; attempt: number },
  event: EventView | Ping,
): Promise<Sent> {
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
  { db, clock, keyring, guard }: AttemptParts,
  { webhook, url: text }: { webhook: string; url: string },
  event: EventView | Ping,
): Promise<Sent> {
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
