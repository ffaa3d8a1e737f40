import { type EventType, PING } from '@svc/contract';
import sql from 'sql-template-tag';
import type { Db, Queryable, Tx } from '../../db/db.ts';
import { prepared } from '../../db/prepared.ts';
import { DELIVERY, type DeliveryRow } from './store.ts';

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

export interface ClaimedWebhook {
  id: string;
  user_id: string;
  url: string;
  failures: number;
  failing_since: string | null;
  lane: Lane;
}

/** `slow`: the last attempt failed or was slow. `new`: nothing was delivered yet. */
export type Lane = 'proven' | 'new' | 'slow';

/** Lanes with a free slot, except accounts and hosts that use all of theirs. */
export interface Free extends Record<Lane, boolean> {
  busyAccounts: string[];
  busyHosts: string[];
}

const LANE = sql`case when failures > 0 then 'slow' when last_delivered_at is null then 'new' else 'proven' end`;

export async function claimWebhook(
  db: Queryable,
  { busyAccounts, busyHosts, ...lanes }: Free,
  now: string,
  until: string,
): Promise<ClaimedWebhook | undefined> {
  const names = (['proven', 'new', 'slow'] as const).filter((lane) => lanes[lane]);
  return db.first<ClaimedWebhook>(
    prepared(sql`
    update webhook set not_before = ${until} where id in (
      select w.id from webhook w where w.disabled_at is null and w.paused_at is null and w.not_before <= ${now}
        and ${LANE} = any(${names}::text[])
        and w.user_id <> all(${busyAccounts}::uuid[]) and split_part(w.url, '/', 3) <> all(${busyHosts}::text[])
        and exists (select 1 from webhook_delivery d
          where d.webhook_id = w.id and d.state = 'pending' and d.next_at <= ${now})
      order by w.not_before limit 1 for update skip locked)
    returning id, user_id, url, failures, failing_since, ${LANE} as lane`),
  );
}

/** A ping is never retried. */
export type WaitingRow = DeliveryRow & { type: EventType };

export const nextDelivery = (db: Queryable, webhookId: string, now: string) =>
  db.first<WaitingRow>(sql`
    select ${DELIVERY} from webhook_delivery where webhook_id = ${webhookId} and state = 'pending' and next_at <= ${now}
      and exists (select 1 from webhook w where w.id = webhook_id and w.paused_at is null)
    order by next_at, id limit 1`);

export const findDelivery = (db: Queryable, webhookId: string, eventId: string) =>
  db.first<DeliveryRow>(
    sql`select ${DELIVERY} from webhook_delivery where webhook_id = ${webhookId} and event_id = ${eventId}`,
  );

export async function queueAgain(tx: Tx, deliveryId: number, now: string): Promise<DeliveryRow> {
  const [row] = await tx.query<DeliveryRow>(sql`
    update webhook_delivery set attempts = case when state = 'pending' then attempts else 0 end, state = 'pending', next_at = ${now}
    where id = ${deliveryId} returning ${DELIVERY}`);
  return row!;
}

export interface Attempt {
  at: string;
  status: number | null;
  problem: string | null;
}

/** @param notBefore end of the pause after a slow answer */
export async function noteDelivered(
  db: Db,
  webhookId: string,
  deliveryId: number,
  { at, status }: Attempt,
  notBefore: string | null,
): Promise<void> {
  await db.tx(async (tx) => {
    await tx.query(sql`
      update webhook_delivery set state = 'delivered', attempts = attempts + 1, last_at = ${at}, last_status = ${status}, problem = null
      where id = ${deliveryId}`);
    await tx.query(sql`
      update webhook set failing_since = null, last_delivered_at = ${at},
        failures = case when ${notBefore}::timestamptz is null then 0 else failures + 1 end,
        not_before = coalesce(${notBefore}::timestamptz, not_before)
      where id = ${webhookId}`);
  });
}

/** @param nextAt null gives the delivery up */
export async function noteFailed(
  tx: Tx,
  webhookId: string,
  deliveryId: number,
  attempt: Attempt & { nextAt: string | null; notBefore: string },
): Promise<void> {
  const { at, status, problem, nextAt, notBefore } = attempt;
  await tx.query(sql`
    update webhook_delivery set attempts = attempts + 1, last_at = ${at}, last_status = ${status}, problem = ${problem},
      state = case when ${nextAt}::timestamptz is null then 'failed' else 'pending' end,
      next_at = coalesce(${nextAt}::timestamptz, next_at)
    where id = ${deliveryId}`);
  await tx.query(sql`
    update webhook set failures = failures + 1, failing_since = coalesce(failing_since, ${at}::timestamptz), not_before = ${notBefore}
    where id = ${webhookId}`);
}

export async function disableWebhook(tx: Tx, webhookId: string, at: string, reason: string): Promise<void> {
  await tx.query(sql`
    update webhook set disabled_at = ${at}, disabled_reason = ${reason} where id = ${webhookId} and disabled_at is null`);
  await tx.query(sql`
    update webhook_delivery set state = 'failed', problem = coalesce(problem, 'the webhook was disabled')
    where webhook_id = ${webhookId} and state = 'pending'`);
}

export const releaseWebhook = (db: Queryable, webhookId: string, at: string) =>
  db.query(sql`update webhook set not_before = ${at} where id = ${webhookId} and not_before > ${at}`);

export const lastPingAt = (tx: Tx, webhookId: string) =>
  tx.value<string | undefined>(
    sql`select created_at from webhook_delivery where webhook_id = ${webhookId} and type = ${PING}`,
  );

/** Replaces the last ping. If the process stops before the answer, the row shows that no answer came. */
export async function insertPing(tx: Tx, webhookId: string, eventId: string, now: string): Promise<void> {
  await tx.query(sql`delete from webhook_delivery where webhook_id = ${webhookId} and type = ${PING}`);
  await tx.query(sql`
    insert into webhook_delivery (webhook_id, event_id, type, record_id, at, state, created_at, next_at, problem)
    values (${webhookId}, ${eventId}, ${PING}, ${webhookId}, ${now}, 'failed', ${now}, ${now}, 'was not answered yet')`);
}

/** Enables a webhook whose receiver works again. */
export const endPause = (tx: Tx, webhookId: string, at: string) =>
  tx.query(sql`
    update webhook set not_before = case when failures > 0 or disabled_at is not null then ${at} else not_before end,
      failures = 0, failing_since = null, disabled_at = null, disabled_reason = null, last_delivered_at = ${at}
    where id = ${webhookId}`);

export const notePing = (tx: Tx, webhookId: string, eventId: string, { at, status, problem }: Attempt) =>
  tx.first<DeliveryRow>(sql`
    update webhook_delivery set state = ${problem === null ? 'delivered' : 'failed'}, attempts = 1, last_at = ${at},
      last_status = ${status}, problem = ${problem}
    where webhook_id = ${webhookId} and event_id = ${eventId} returning ${DELIVERY}`);
