import { randomUUID } from 'node:crypto';
import { PING, type Ping } from '@svc/contract';
import { toTime } from '../../db/clock.ts';
import { RateLimited } from '../../platform/failure.ts';
import type { Caller } from '../../identity/caller.ts';
import { type AttemptParts, makeAttempt } from './attempt.ts';
import { endPause, insertPing, lastPingAt, notePing } from './delivery-store.ts';
import type { DeliveryRow } from './store.ts';
import { webhookView } from './view.ts';
import { lockOwnWebhook, unknownWebhook } from './webhooks.ts';

/** Pings must not flood a third party. */
const PAUSE_SECONDS = 5;

/** Pings a paused webhook too. */
export async function pingWebhook(parts: AttemptParts, caller: Caller, id: string): Promise<DeliveryRow> {
  const { db, clock } = parts;
  const now = clock.now();
  const { hook, eventId } = await db.tx(async (tx) => {
    const hook = await lockOwnWebhook(tx, caller, id);
    const last = await lastPingAt(tx, id);
    const waits = last === undefined ? 0 : Date.parse(last) + PAUSE_SECONDS * 1000 - now;
    if (waits > 0)
      throw new RateLimited(
        `this webhook was pinged less than ${PAUSE_SECONDS} seconds ago: wait, then ping again`,
        1,
        Math.ceil(waits / 1000),
      );
    const eventId = randomUUID();
    await insertPing(tx, id, eventId, toTime(now));
    return { hook, eventId };
  });
  const ping: Ping = {
    id: eventId,
    type: PING,
    timestamp: toTime(now),
    data: { webhook: webhookView(hook, now) },
  };
  const sent = await makeAttempt(parts, { webhook: id, url: hook.url, attempt: 1 }, ping);
  return db.tx(async (tx) => {
    // A failed ping changes only the log.
    if (sent.problem === null) await endPause(tx, id, sent.at);
    return (await notePing(tx, id, eventId, sent)) ?? unknownWebhook();
  });
}
