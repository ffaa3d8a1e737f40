import { setTimeout as sleep } from 'node:timers/promises';
import type { EventType } from '@svc/contract';
import sql from 'sql-template-tag';
import { toTime } from '../../db/clock.ts';
import { prepared, type Queryable, type Tx } from '../../db/db.ts';
import type { ViewContext } from '../../etches/view.ts';
import { eventViews } from '../event-subjects.ts';
import {
  type AttemptDependencies,
  breakAfter,
  DISABLED_AFTER_MS,
  makeAttempt,
  pauseAfter,
  type AttemptResult,
  SLOW_AFTER_MS,
} from './attempt.ts';

export const queueDeliveries = (tx: Tx, after: number, now: string) =>
  tx.query(sql`
    insert into webhook_delivery (webhook_id, event_id, type, record_id, at, created_at, next_at)
    select w.id, e.id, e.type, e.record_id, e.at, ${now}, ${now}
    from event e join webhook w on w.user_id = e.user_id and w.disabled_at is null and e.type = any(w.types)
    where e.position > ${after} order by e.position`);

/** Deletes settled deliveries and those of paused webhooks; at most 5,000 per call. */
export const forgetDeliveries = (db: Queryable, before: string) =>
  db.query(sql`
    with oldest as (select id, webhook_id, state, created_at from webhook_delivery order by id limit 5000)
    delete from webhook_delivery d using oldest o
    where d.id = o.id and o.created_at < ${before} and (o.state <> 'pending'
      or exists (select 1 from webhook w where w.id = o.webhook_id and w.paused_at is not null))`);

interface DeliveryParts extends AttemptDependencies {
  view: ViewContext;
  log: AttemptDependencies['log'] & { warn(fields: object, message: string): void };
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

/** `slow`: the last attempt failed or was slow. `new`: nothing was delivered yet. */
type Lane = 'proven' | 'new' | 'slow';

const LANE = sql`case when failures > 0 then 'slow' when last_delivered_at is null then 'new' else 'proven' end`;

interface ClaimedWebhook {
  id: string;
  user_id: string;
  url: string;
  failures: number;
  failing_since: string | null;
  lane: Lane;
}

async function claim({ db, clock }: DeliveryParts, lanes: Lanes): Promise<ClaimedWebhook | undefined> {
  const free = lanes.free();
  if (!free) return undefined;
  const at = clock.now();
  const now = toTime(at);
  return db.first<ClaimedWebhook>(
    prepared(sql`
    update webhook set not_before = ${toTime(at + CLAIM_MS)} where id in (
      select w.id from webhook w where w.disabled_at is null and w.paused_at is null and w.not_before <= ${now}
        and ${LANE} = any(${free.lanes}::text[])
        and w.user_id <> all(${free.busyAccounts}::uuid[]) and split_part(w.url, '/', 3) <> all(${free.busyHosts}::text[])
        and exists (select 1 from webhook_delivery d
          where d.webhook_id = w.id and d.state = 'pending' and d.next_at <= ${now})
      order by w.not_before limit 1 for update skip locked)
    returning id, user_id, url, failures, failing_since, ${LANE} as lane`),
  );
}

/** A ping is never retried. */
interface WaitingDelivery {
  id: number;
  event_id: string;
  type: EventType;
  record_id: string;
  at: string;
  attempts: number;
}

async function takeTurn(parts: DeliveryParts, hook: ClaimedWebhook, isLate: () => void): Promise<void> {
  const { db, clock, log } = parts;
  const end = performance.now() + TURN_MS;
  try {
    while (performance.now() < end) {
      const delivery = await db.first<WaitingDelivery>(sql`
        select id, event_id, type, record_id, at, attempts from webhook_delivery
        where webhook_id = ${hook.id} and state = 'pending' and next_at <= ${toTime(clock.now())}
          and exists (select 1 from webhook w where w.id = webhook_id and w.paused_at is null)
        order by next_at, id limit 1`);
      if (!delivery) break;
      const late = setTimeout(isLate, SLOW_AFTER_MS);
      const attempt = await send(parts, hook, delivery).finally(() => clearTimeout(late));
      if (attempt.problem !== null) return await fail(parts, hook, delivery, attempt);
      await succeed(parts, hook, delivery, attempt);
      if (attempt.slow) return;
      Object.assign(hook, { failures: 0, failing_since: null });
    }
    const now = toTime(clock.now());
    await db.query(sql`update webhook set not_before = ${now} where id = ${hook.id} and not_before > ${now}`);
  } catch (error) {
    // The service failed, not the receiver: the claim expires and the delivery is retried.
    log.warn({ err: error, webhook: hook.id }, 'a webhook could not be served; it is retried');
  }
}

/** Reads the record now, so that a text retracted since the event is sent as a tombstone. */
async function send(
  parts: DeliveryParts,
  { id: webhook, url }: ClaimedWebhook,
  { event_id: id, type, record_id, at, attempts }: WaitingDelivery,
): Promise<AttemptResult> {
  const now = parts.clock.now();
  const [event] = await eventViews(parts.db, [{ id, type, record_id, at }], now, parts.view);
  if (!event) return { at: toTime(now), status: null, problem: null, retryAfterMs: 0, slow: false };
  return makeAttempt(parts, { webhook, url, attempt: attempts + 1 }, event);
}

/** A slow answer pauses the webhook. */
async function succeed(
  { db, clock }: DeliveryParts,
  hook: ClaimedWebhook,
  delivery: WaitingDelivery,
  { at, status, slow }: AttemptResult,
): Promise<void> {
  const notBefore = slow ? toTime(clock.now() + breakAfter(hook.failures + 1)) : null;
  await db.tx(async (tx) => {
    await tx.query(sql`
      update webhook_delivery set state = 'delivered', attempts = attempts + 1, last_at = ${at}, last_status = ${status}, problem = null
      where id = ${delivery.id}`);
    await tx.query(sql`
      update webhook set failing_since = null, last_delivered_at = ${at},
        failures = case when ${notBefore}::timestamptz is null then 0 else failures + 1 end,
        not_before = coalesce(${notBefore}::timestamptz, not_before)
      where id = ${hook.id}`);
  });
}

async function fail(
  { db, clock, log }: DeliveryParts,
  hook: ClaimedWebhook,
  delivery: WaitingDelivery,
  { at, status, problem, retryAfterMs }: AttemptResult,
): Promise<void> {
  const now = clock.now();
  const pause = pauseAfter(delivery.attempts + 1, retryAfterMs, Math.random());
  const nextAt = pause === null ? null : toTime(now + pause);
  const notBefore = toTime(now + Math.max(breakAfter(hook.failures + 1), retryAfterMs));
  const reason =
    status === 410
      ? 'the receiver answered 410 (gone)'
      : now - Date.parse(hook.failing_since ?? at) >= DISABLED_AFTER_MS
        ? 'every delivery failed for three days'
        : undefined;
  await db.tx(async (tx) => {
    await tx.query(sql`
      update webhook_delivery set attempts = attempts + 1, last_at = ${at}, last_status = ${status}, problem = ${problem},
        state = case when ${nextAt}::timestamptz is null then 'failed' else 'pending' end,
        next_at = coalesce(${nextAt}::timestamptz, next_at)
      where id = ${delivery.id}`);
    await tx.query(sql`
      update webhook set failures = failures + 1, failing_since = coalesce(failing_since, ${at}::timestamptz), not_before = ${notBefore}
      where id = ${hook.id}`);
    if (reason === undefined) return;
    await tx.query(sql`
      update webhook set disabled_at = ${toTime(now)}, disabled_reason = ${reason} where id = ${hook.id} and disabled_at is null`);
    await tx.query(sql`
      update webhook_delivery set state = 'failed', problem = coalesce(problem, 'the webhook was disabled')
      where webhook_id = ${hook.id} and state = 'pending'`);
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

type Lanes = ReturnType<typeof createLanes>;

/** A late answer moves its receiver to the slow lane. */
function createLanes() {
  const busy = new Set<{ account: string; host: string; lane: Lane }>();
  const count = (lane: Lane): number => [...busy].filter((turn) => turn.lane === lane).length;
  const full = (of: 'account' | 'host', most: number): string[] => {
    const counts = new Map<string, number>();
    for (const turn of busy) counts.set(turn[of], (counts.get(turn[of]) ?? 0) + 1);
    return [...counts].filter(([, held]) => held >= most).map(([name]) => name);
  };
  return {
    /** Lanes with a free slot, except accounts and hosts that use all of theirs. */
    free() {
      const slow = count('slow');
      // Late answers beyond the slow slots count as new ones, which bounds the connections.
      const fresh = count('new') + Math.max(0, slow - SLOW);
      const hasFreeSlot = fresh + count('proven') < PROMPT;
      const lanes: Lane[] = [
        ...(hasFreeSlot ? ['proven' as const] : []),
        ...(hasFreeSlot && fresh < NEW ? ['new' as const] : []),
        ...(slow < SLOW ? ['slow' as const] : []),
      ];
      if (lanes.length === 0) return undefined;
      return { lanes, busyAccounts: full('account', OF_ACCOUNT), busyHosts: full('host', OF_HOST) };
    },
    enter({ user_id: account, url, lane }: ClaimedWebhook) {
      const turn = { account, host: new URL(url).host, lane };
      busy.add(turn);
      return { isLate: () => void (turn.lane = 'slow'), leave: () => void busy.delete(turn) };
    },
  };
}
