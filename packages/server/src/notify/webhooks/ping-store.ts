import { PING } from '@svc/contract';
import sql from 'sql-template-tag';
import type { Tx } from '../../db/db.ts';
import type { Attempt } from './delivery-store.ts';
import { DELIVERY, type DeliveryRow } from './store.ts';

export async function lastPingAt(tx: Tx, webhookId: string): Promise<string | undefined> {
  const [row] = await tx.query<{ created_at: string }>(
    sql`select created_at from webhook_delivery where webhook_id = ${webhookId} and type = ${PING}`,
  );
  return row?.created_at;
}

/** Replaces the last ping. If the process stops before the answer, the row shows that no answer came. */
export async function insertPing(tx: Tx, webhookId: string, eventId: string, now: string): Promise<void> {
  await tx.query(sql`delete from webhook_delivery where webhook_id = ${webhookId} and type = ${PING}`);
  await tx.query(sql`
    insert into webhook_delivery (webhook_id, event_id, type, record_id, at, state, created_at, next_at, problem)
    values (${webhookId}, ${eventId}, ${PING}, ${webhookId}, ${now}, 'failed', ${now}, ${now}, 'was not answered yet')`);
}

/** Enables a webhook whose receiver works again. */
export async function endPause(tx: Tx, webhookId: string, at: string): Promise<void> {
  // The claim of a different process stays, unless the webhook was failing or disabled.
  await tx.query(sql`
    update webhook set not_before = case when failures > 0 or disabled_at is not null then ${at} else not_before end,
      failures = 0, failing_since = null, disabled_at = null, disabled_reason = null, last_delivered_at = ${at}
    where id = ${webhookId}`);
}

export async function notePing(
  tx: Tx,
  webhookId: string,
  eventId: string,
  { at, status, problem }: Attempt,
): Promise<DeliveryRow | undefined> {
  const [row] = await tx.query<DeliveryRow>(sql`
    update webhook_delivery set state = ${problem === null ? 'delivered' : 'failed'}, attempts = 1, last_at = ${at},
      last_status = ${status}, problem = ${problem}
    where webhook_id = ${webhookId} and event_id = ${eventId} returning ${DELIVERY}`);
  return row;
}
