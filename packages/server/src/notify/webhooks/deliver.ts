import { setTimeout as sleep } from 'node:timers/promises';
import { toTime } from '../../db/clock.ts';
import type { ViewContext } from '../../etches/view.ts';
import {
  type AttemptParts,
  breakAfter,
  DISABLED_AFTER_MS,
  makeAttempt,
  pauseAfter,
  type Sent,
  SLOW_AFTER_MS,
} from './attempt.ts';
import {
  type ClaimedWebhook,
  claimWebhook,
  disableWebhook,
  type Free,
  type Lane,
  nextDelivery,
  noteDelivered,
  noteFailed,
  releaseWebhook,
  type WaitingRow,
} from './delivery-store.ts';
import { eventViews } from './view.ts';

export interface DeliveryParts extends AttemptParts {
  view: ViewContext;
  log: AttemptParts['log'] & { warn(fields: object, message: string): void };
}

/** This is longer than one turn and its last request. */
const CLAIM_MS = 60_000;
const TURN_MS = 20_000;

/**
 * Delivers to each receiver in order. If the process stops here, its claim expires and the event is sent again: at
 * least once, with `webhook-id` to find duplicates.
 */
export async function deliverDue(parts: DeliveryParts): Promise<void> {
  const lanes = createLanes();
  const busy = new Set<Promise<void>>();
  for (;;) {
    for (let hook = await claim(parts, lanes); hook; hook = await claim(parts, lanes)) {
      const { isLate, leave } = lanes.enter(hook);
      const turn = takeTurn(parts, hook, isLate).finally(() => {
        leave();
        busy.delete(turn);
      });
      busy.add(turn);
    }
    if (busy.size === 0) return;
    await Promise.race([...busy, sleep(1_000)]);
  }
}

async function claim({ db, clock }: DeliveryParts, lanes: Lanes): Promise<ClaimedWebhook | undefined> {
  const free = lanes.free();
  const now = clock.now();
  return free && claimWebhook(db, free, toTime(now), toTime(now + CLAIM_MS));
}

async function takeTurn(parts: DeliveryParts, hook: ClaimedWebhook, isLate: () => void): Promise<void> {
  const { db, clock, log } = parts;
  const end = performance.now() + TURN_MS;
  try {
    while (performance.now() < end) {
      const delivery = await nextDelivery(db, hook.id, toTime(clock.now()));
      if (!delivery) break;
      const late = setTimeout(isLate, SLOW_AFTER_MS);
      const attempt = await send(parts, hook, delivery).finally(() => clearTimeout(late));
      if (attempt.problem !== null) return await fail(parts, hook, delivery, attempt);
      const rest = attempt.slow ? toTime(clock.now() + breakAfter(hook.failures + 1)) : null;
      await noteDelivered(db, hook.id, delivery.id, attempt, rest);
      if (attempt.slow) return;
      Object.assign(hook, { failures: 0, failing_since: null });
    }
    await releaseWebhook(db, hook.id, toTime(clock.now()));
  } catch (error) {
    // The service failed, not the receiver: the claim expires and the delivery is retried.
    log.warn({ err: error, webhook: hook.id }, 'a webhook could not be served; it is retried');
  }
}

/** Reads the record now, so that a text retracted meanwhile is sent as a tombstone. */
async function send(
  parts: DeliveryParts,
  { id: webhook, url }: ClaimedWebhook,
  { event_id: id, type, record_id, at, attempts }: WaitingRow,
): Promise<Sent> {
  const now = parts.clock.now();
  const [event] = await eventViews(parts.db, [{ id, type, record_id, at }], now, parts.view);
  if (!event) return { at: toTime(now), status: null, problem: null, retryAfterMs: 0, slow: false };
  return makeAttempt(parts, { webhook, url, attempt: attempts + 1 }, event);
}

async function fail(
  { db, clock, log }: DeliveryParts,
  hook: ClaimedWebhook,
  delivery: WaitingRow,
  { retryAfterMs, ...attempt }: Sent,
): Promise<void> {
  const now = clock.now();
  const pause = pauseAfter(delivery.attempts + 1, retryAfterMs, Math.random());
  const gone = attempt.status === 410;
  const since = Date.parse(hook.failing_since ?? attempt.at);
  const reason = gone
    ? 'the receiver answered 410 (gone)'
    : now - since >= DISABLED_AFTER_MS
      ? 'every delivery failed for three days'
      : undefined;
  await db.tx(async (tx) => {
    await noteFailed(tx, hook.id, delivery.id, {
      ...attempt,
      nextAt: pause === null ? null : toTime(now + pause),
      notBefore: toTime(now + Math.max(breakAfter(hook.failures + 1), retryAfterMs)),
    });
    if (reason !== undefined) await disableWebhook(tx, hook.id, toTime(now), reason);
  });
  if (reason !== undefined) log.warn({ webhook: hook.id, reason }, 'a webhook was disabled');
}

/** Slots of new and of fast receivers. */
const PROMPT = 8;
const NEW = 4;
/** Slots of receivers that failed or are slow. */
const SLOW = 32;
const OF_ACCOUNT = 2;
const OF_HOST = 4;

interface Lanes {
  free(): Free | undefined;
  enter(hook: ClaimedWebhook): { isLate: () => void; leave: () => void };
}

/** A late answer moves its receiver to the slow lane. */
function createLanes(): Lanes {
  const busy = new Set<{ account: string; host: string; lane: Lane }>();
  const count = (lane: Lane): number => [...busy].filter((turn) => turn.lane === lane).length;
  const full = (of: 'account' | 'host', most: number): string[] => {
    const counts = new Map<string, number>();
    for (const turn of busy) counts.set(turn[of], (counts.get(turn[of]) ?? 0) + 1);
    return [...counts].filter(([, held]) => held >= most).map(([name]) => name);
  };
  return {
    free() {
      const slow = count('slow');
      // Late answers beyond the slow slots count as new ones, which bounds the connections.
      const fresh = count('new') + Math.max(0, slow - SLOW);
      const hasFreeSlot = fresh + count('proven') < PROMPT;
      const free = { proven: hasFreeSlot, new: hasFreeSlot && fresh < NEW, slow: slow < SLOW };
      if (!free.proven && !free.slow) return undefined;
      return { ...free, busyAccounts: full('account', OF_ACCOUNT), busyHosts: full('host', OF_HOST) };
    },
    enter({ user_id: account, url, lane }) {
      const turn = { account, host: new URL(url).host, lane };
      busy.add(turn);
      return { isLate: () => void (turn.lane = 'slow'), leave: () => void busy.delete(turn) };
    },
  };
}
