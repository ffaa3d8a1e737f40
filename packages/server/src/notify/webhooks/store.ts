import type { Delivery, EventType } from '@svc/contract';
import sql from 'sql-template-tag';
import type { Queryable, Tx } from '../../db/db.ts';

export interface WebhookRow {
  id: string;
  user_id: string;
  url: string;
  types: EventType[];
  created_at: string;
  last_delivered_at: string | null;
  paused_at: string | null;
  failing_since: string | null;
  disabled_at: string | null;
  disabled_reason: string | null;
  old_secrets_until: string | null;
}

export interface DeliveryRow {
  id: number;
  event_id: string;
  type: Delivery['type'];
  record_id: string;
  at: string;
  state: Delivery['state'];
  attempts: number;
  created_at: string;
  next_at: string;
  last_at: string | null;
  last_status: number | null;
  problem: string | null;
}

const WEBHOOK = sql`id, user_id, url, types, created_at, last_delivered_at, paused_at, failing_since, disabled_at, disabled_reason,
  (select max(until) from webhook_old_secret where webhook_id = webhook.id) as old_secrets_until`;
export const DELIVERY = sql`id, event_id, type, record_id, at, state, attempts, created_at, next_at, last_at, last_status, problem`;

export const countWebhooks = (db: Queryable, userId: string) =>
  db.value<number>(sql`select count(*) as count from webhook where user_id = ${userId}`);

export async function insertWebhook(
  tx: Tx,
  hook: Pick<WebhookRow, 'id' | 'user_id' | 'url' | 'types' | 'created_at'> & { secret: Buffer },
): Promise<WebhookRow> {
  const [row] = await tx.query<WebhookRow>(sql`
    insert into webhook (id, user_id, url, types, secret, created_at, not_before)
    values (${hook.id}, ${hook.user_id}, ${hook.url}, ${hook.types}::text[], ${hook.secret}, ${hook.created_at}, ${hook.created_at})
    returning ${WEBHOOK}`);
  return row!;
}

export const listWebhookRows = (db: Queryable, userId: string) =>
  db.query<WebhookRow>(sql`select ${WEBHOOK} from webhook where user_id = ${userId} order by created_at, id`);

export const findWebhook = (db: Queryable, userId: string, id: string) =>
  db.first<WebhookRow>(sql`select ${WEBHOOK} from webhook where user_id = ${userId} and id = ${id}`);

export const lockWebhook = (tx: Tx, id: string) =>
  tx.query(sql`select 1 from webhook where id = ${id} for update`);

/** A second pause keeps the first time. */
export const setPaused = (db: Queryable, userId: string, id: string, at: string | null) =>
  db.first<WebhookRow>(sql`
    update webhook set paused_at = case when ${at}::timestamptz is null then null else coalesce(paused_at, ${at}::timestamptz) end
    where user_id = ${userId} and id = ${id} returning ${WEBHOOK}`);

export const deleteWebhookRow = (db: Queryable, userId: string, id: string) =>
  db.first<WebhookRow>(
    sql`delete from webhook where user_id = ${userId} and id = ${id} returning ${WEBHOOK}`,
  );

export async function listDeliveryRows(
  db: Queryable,
  webhookId: string,
  before: number | undefined,
  limit: number,
): Promise<DeliveryRow[]> {
  const older = before === undefined ? sql`` : sql`and id < ${before}`;
  return db.query<DeliveryRow>(sql`
    select ${DELIVERY} from webhook_delivery where webhook_id = ${webhookId} ${older} order by id desc limit ${limit}`);
}

export const readSigningSecrets = (db: Queryable, webhookId: string, now: string) =>
  db.column<Buffer>(sql`
    select secret from (
      select secret, null::timestamptz as until from webhook where id = ${webhookId}
      union all select secret, until from webhook_old_secret where webhook_id = ${webhookId} and until > ${now}
    ) s order by until desc nulls first`);

/** Deletes expired secrets. @returns how many older secrets still sign */
export async function countOldSecrets(tx: Tx, webhookId: string, now: string): Promise<number> {
  await tx.query(sql`delete from webhook_old_secret where webhook_id = ${webhookId} and until <= ${now}`);
  return tx.value<number>(
    sql`select count(*) as count from webhook_old_secret where webhook_id = ${webhookId}`,
  );
}

export const keepOldSecret = (tx: Tx, webhookId: string, until: string) =>
  tx.query(sql`
    insert into webhook_old_secret (webhook_id, secret, until) select id, secret, ${until} from webhook where id = ${webhookId}`);

export const dropOldSecrets = (tx: Tx, webhookId: string) =>
  tx.query(sql`delete from webhook_old_secret where webhook_id = ${webhookId}`);

export const setSecret = (tx: Tx, webhookId: string, secret: Buffer) =>
  tx.query(sql`update webhook set secret = ${secret} where id = ${webhookId}`);

export const forgetOldSecrets = (db: Queryable, now: string) =>
  db.query(sql`delete from webhook_old_secret where until <= ${now}`);
