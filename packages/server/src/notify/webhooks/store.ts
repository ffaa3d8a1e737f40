import { randomUUID } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { type Delivery, EVENT_TYPES, type EventType, PING, type Ping, type Webhook } from '@svc/contract';
import sql, { empty } from 'sql-template-tag';
import { lockAccount } from '../../accounts/store.ts';
import { type Clock, toTime } from '../../db/clock.ts';
import type { Db, Queryable, Tx } from '../../db/db.ts';
import type { Caller } from '../../identity/caller.ts';
import { badField, Failure, RateLimited } from '../../platform/failure.ts';
import { readDomain } from '../../platform/outgoing/guarded-request.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';
import { type AttemptDependencies, makeAttempt } from './attempt.ts';
import { makeSecret, showSecret } from './secret-store.ts';

interface WebhookParts {
  db: Queryable;
  clock: Clock;
}

interface KeyedParts {
  db: Db;
  clock: Clock;
  keyring: Keyring;
}

const webhookAt = (
  now: number,
) => sql`id, url, types, created_at, last_delivered_at, paused_at, failing_since,
  disabled_at, disabled_reason,
  (select max(until) from webhook_old_secret where webhook_id = webhook.id and until > ${toTime(now)}) as old_secrets_until`;

const DELIVERY = sql`event_id, type, state, attempts, created_at, last_at as last_attempt_at,
  case when state = 'pending' then next_at end as next_attempt_at, last_status, problem`;

const HOUR_MS = 3_600_000;
/** A client repeats a rotation whose answer was lost. */
const MOST_OLD = 4;

/** Only this answer contains the secret. */
export async function createWebhook(
  { db, clock, keyring, most }: KeyedParts & { most: number },
  { userId }: Caller,
  request: { url: string; types?: readonly EventType[] },
): Promise<{ webhook: Webhook; secret: string }> {
  const url = readReceiver(request.url).href;
  const types = EVENT_TYPES.filter((type) => request.types?.includes(type) ?? true);
  const id = randomUUID();
  const secret = makeSecret();
  const webhook = await db.tx(async (tx) => {
    await lockAccount(tx, userId);
    const count = await tx.value<number>(sql`select count(*) from webhook where user_id = ${userId}`);
    if (count >= most)
      throw new Failure('conflict', `an account has at most ${most} webhooks: remove one first`);
    const now = clock.now();
    return tx.one<Webhook>(sql`
      insert into webhook (id, user_id, url, types, secret, created_at, not_before)
      values (${id}, ${userId}, ${url}, ${types}::text[], ${keyring.close('webhook', secret, id)}, ${toTime(now)}, ${toTime(now)})
      returning ${webhookAt(now)}`);
  });
  return { webhook, secret: showSecret(secret) };
}

export const listWebhooks = ({ db, clock }: WebhookParts, { userId }: Caller) =>
  db.query<Webhook>(
    sql`select ${webhookAt(clock.now())} from webhook where user_id = ${userId} order by created_at, id`,
  );

export const deleteWebhook = async ({ db, clock }: WebhookParts, { userId }: Caller, id: string) =>
  (await db.first<Webhook>(
    sql`delete from webhook where user_id = ${userId} and id = ${id} returning ${webhookAt(clock.now())}`,
  )) ?? unknownWebhook();

/** A second pause keeps the first time. */
export async function pauseWebhook(
  { db, clock }: WebhookParts,
  { userId }: Caller,
  { id, paused }: { id: string; paused: boolean },
): Promise<Webhook> {
  const now = clock.now();
  const at = paused ? sql`coalesce(paused_at, ${toTime(now)}::timestamptz)` : sql`null`;
  const row = await db.first<Webhook>(sql`
    update webhook set paused_at = ${at} where user_id = ${userId} and id = ${id} returning ${webhookAt(now)}`);
  return row ?? unknownWebhook();
}

export const ownWebhook = async ({ db, clock }: WebhookParts, { userId }: Caller, id: string) =>
  (await db.first<Webhook>(
    sql`select ${webhookAt(clock.now())} from webhook where user_id = ${userId} and id = ${id}`,
  )) ?? unknownWebhook();

async function lockOwnWebhook(tx: Tx, clock: Clock, caller: Caller, id: string): Promise<Webhook> {
  await tx.query(sql`select 1 from webhook where id = ${id} for update`);
  return ownWebhook({ db: tx, clock }, caller, id);
}

export async function listDeliveries(
  db: Queryable,
  webhookId: string,
  before: number | undefined,
  limit: number,
): Promise<{ id: number; delivery: Delivery }[]> {
  const older = before === undefined ? empty : sql`and id < ${before}`;
  const rows = await db.query<{ id: number } & Delivery>(sql`
    select id, ${DELIVERY} from webhook_delivery where webhook_id = ${webhookId} ${older} order by id desc limit ${limit}`);
  return rows.map(({ id, ...delivery }) => ({ id, delivery }));
}

export async function redeliver(
  { db, clock }: { db: Db; clock: Clock },
  caller: Caller,
  { id, eventId }: { id: string; eventId: string },
): Promise<Delivery> {
  return db.tx(async (tx) => {
    const { disabled_reason: disabled } = await lockOwnWebhook(tx, clock, caller, id);
    const isThisOne = sql`webhook_id = ${id} and event_id = ${eventId}`;
    const type = await tx.value<string | undefined>(
      sql`select type from webhook_delivery where ${isThisOne}`,
    );
    if (type === undefined) throw new Failure('not_found', NO_DELIVERY);
    if (type === PING)
      throw new Failure('conflict', 'a ping is not sent again: POST /me/webhooks/{id}/ping sends another');
    if (disabled !== null)
      throw new Failure(
        'conflict',
        `this webhook is disabled (${disabled}): repair its receiver, then ping it; a successful ping enables it`,
      );
    return tx.one<Delivery>(sql`
      update webhook_delivery set attempts = case when state = 'pending' then attempts else 0 end, state = 'pending', next_at = ${toTime(clock.now())}
      where ${isThisOne} returning ${DELIVERY}`);
  });
}

/** Only this answer contains the secret. */
export async function rotateSecret(
  { db, clock, keyring }: KeyedParts,
  caller: Caller,
  { id, overlapHours }: { id: string; overlapHours: number },
): Promise<{ webhook: Webhook; secret: string }> {
  const secret = makeSecret();
  const webhook = await db.tx(async (tx) => {
    await lockOwnWebhook(tx, clock, caller, id);
    const now = clock.now();
    const ended = overlapHours === 0 ? empty : sql`and until <= ${toTime(now)}`;
    await tx.query(sql`delete from webhook_old_secret where webhook_id = ${id} ${ended}`);
    if (overlapHours > 0) {
      const old = sql`select count(*) from webhook_old_secret where webhook_id = ${id}`;
      if ((await tx.value<number>(old)) >= MOST_OLD)
        throw new Failure(
          'conflict',
          `${MOST_OLD} older secrets still sign: wait until the first of them expires, or rotate with overlap_hours=0, which ends them all`,
        );
      await tx.query(sql`
        insert into webhook_old_secret (webhook_id, secret, until)
        select id, secret, ${toTime(now + overlapHours * HOUR_MS)} from webhook where id = ${id}`);
    }
    await tx.query(sql`update webhook set secret = ${keyring.close('webhook', secret, id)} where id = ${id}`);
    return ownWebhook({ db: tx, clock }, caller, id);
  });
  return { webhook, secret: showSecret(secret) };
}

export const NO_DELIVERY = 'the log of this webhook has no delivery of that event';

export const NO_WEBHOOK = 'this account has no webhook with that id';

function unknownWebhook(): never {
  throw new Failure('not_found', NO_WEBHOOK);
}

/** Accepts https, a public host name, the default port, no user. Each connection checks the address too. */
function readReceiver(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:') throw badField('url', 'must be an https URL');
  if (url.username || url.password) throw badField('url', 'must not contain a user name or password');
  if (url.port !== '') throw badField('url', 'must not name a port: webhooks go to 443');
  if (url.hash !== '') throw badField('url', 'must not contain a fragment, which is never sent');
  try {
    readDomain(domainToASCII(url.hostname));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw badField('url', 'must have a public host name such as hooks.example.org');
  }
  return url;
}

/** Pings must not flood a third party. */
const PAUSE_SECONDS = 5;

/** Pings a paused webhook too. If the process stops before the answer, the row shows that no answer came. */
export async function pingWebhook(parts: AttemptDependencies, caller: Caller, id: string): Promise<Delivery> {
  const { db, clock } = parts;
  const now = clock.now();
  const eventId = randomUUID();
  const isPing = sql`webhook_id = ${id} and type = ${PING}`;
  const webhook = await db.tx(async (tx) => {
    const found = await lockOwnWebhook(tx, clock, caller, id);
    const last = await tx.value<string | undefined>(
      sql`select created_at from webhook_delivery where ${isPing}`,
    );
    const waits = last === undefined ? 0 : Date.parse(last) + PAUSE_SECONDS * 1000 - now;
    if (waits > 0)
      throw new RateLimited(
        `this webhook was pinged less than ${PAUSE_SECONDS} seconds ago: wait, then ping again`,
        1,
        Math.ceil(waits / 1000),
      );
    await tx.query(sql`delete from webhook_delivery where ${isPing}`);
    await tx.query(sql`
      insert into webhook_delivery (webhook_id, event_id, type, record_id, at, state, created_at, next_at, problem)
      values (${id}, ${eventId}, ${PING}, ${id}, ${toTime(now)}, 'failed', ${toTime(now)}, ${toTime(now)}, 'was not answered yet')`);
    return found;
  });
  const ping: Ping = { id: eventId, type: PING, timestamp: toTime(now), data: { webhook } };
  const sent = await makeAttempt(parts, { webhook: id, url: webhook.url, attempt: 1 }, ping);
  return db.tx(async (tx) => {
    // A failed ping changes only the log, a successful one enables the webhook.
    if (sent.problem === null)
      await tx.query(sql`
        update webhook set not_before = case when failures > 0 or disabled_at is not null then ${sent.at} else not_before end,
          failures = 0, failing_since = null, disabled_at = null, disabled_reason = null, last_delivered_at = ${sent.at}
        where id = ${id}`);
    const delivery = await tx.first<Delivery>(sql`
      update webhook_delivery set state = ${sent.problem === null ? 'delivered' : 'failed'}, attempts = 1, last_at = ${sent.at},
        last_status = ${sent.status}, problem = ${sent.problem}
      where webhook_id = ${id} and event_id = ${eventId} returning ${DELIVERY}`);
    return delivery ?? unknownWebhook();
  });
}
