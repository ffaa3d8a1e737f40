import { randomUUID } from 'node:crypto';
import { EVENT_TYPES, type EventType, PING, type Ping } from '@svc/contract';
import { domainToASCII } from 'node:url';
import { lockAccount } from '../../accounts/store.ts';
import { type Clock, toTime } from '../../db/clock.ts';
import type { Db, Tx } from '../../db/db.ts';
import { badField, Failure, RateLimited } from '../../platform/failure.ts';
import type { Caller } from '../../identity/caller.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';
import { endPause, findDelivery, insertPing, lastPingAt, notePing, queueAgain } from './delivery-store.ts';
import {
  countOldSecrets,
  countWebhooks,
  deleteWebhookRow,
  type DeliveryRow,
  dropOldSecrets,
  findWebhook,
  insertWebhook,
  keepOldSecret,
  lockWebhook,
  setPaused,
  setSecret,
  type WebhookRow,
} from './store.ts';
import { type AttemptParts, makeAttempt, makeSecret, showSecret } from './attempt.ts';
import { readDomain } from '../../platform/outgoing/guarded-request.ts';
import { webhookView } from './view.ts';

const HOUR_MS = 3_600_000;
/** A client repeats a rotation whose answer was lost. */
const MOST_OLD = 4;

/** Only this answer contains the secret. */
export async function createWebhook(
  { db, clock, keyring, most }: { db: Db; clock: Clock; keyring: Keyring; most: number },
  caller: Caller,
  request: { url: string; types?: readonly EventType[] },
): Promise<{ row: WebhookRow; secret: string }> {
  const url = readReceiver(request.url).href;
  const types = EVENT_TYPES.filter((type) => request.types?.includes(type) ?? true);
  const id = randomUUID();
  const secret = makeSecret();
  const row = await db.tx(async (tx) => {
    await lockAccount(tx, caller.userId);
    if ((await countWebhooks(tx, caller.userId)) >= most)
      throw new Failure('conflict', `an account has at most ${most} webhooks: remove one first`);
    return insertWebhook(tx, {
      id,
      user_id: caller.userId,
      url,
      types,
      secret: keyring.close('webhook', secret, id),
      created_at: toTime(clock.now()),
    });
  });
  return { row, secret: showSecret(secret) };
}

export const deleteWebhook = async (db: Db, caller: Caller, id: string): Promise<WebhookRow> =>
  (await deleteWebhookRow(db, caller.userId, id)) ?? unknownWebhook();

export async function pauseWebhook(
  { db, clock }: { db: Db; clock: Clock },
  caller: Caller,
  { id, paused }: { id: string; paused: boolean },
): Promise<WebhookRow> {
  return (await setPaused(db, caller.userId, id, paused ? toTime(clock.now()) : null)) ?? unknownWebhook();
}

export const ownWebhook = async (db: Db, caller: Caller, id: string): Promise<WebhookRow> =>
  (await findWebhook(db, caller.userId, id)) ?? unknownWebhook();

async function lockOwnWebhook(tx: Tx, caller: Caller, id: string): Promise<WebhookRow> {
  await lockWebhook(tx, id);
  return (await findWebhook(tx, caller.userId, id)) ?? unknownWebhook();
}

export async function redeliver(
  { db, clock }: { db: Db; clock: Clock },
  caller: Caller,
  { id, eventId }: { id: string; eventId: string },
): Promise<DeliveryRow> {
  return db.tx(async (tx) => {
    const { disabled_reason: disabled } = await lockOwnWebhook(tx, caller, id);
    const row = await findDelivery(tx, id, eventId);
    if (!row) throw new Failure('not_found', NO_DELIVERY);
    if (row.type === PING)
      throw new Failure('conflict', 'a ping is not sent again: POST /me/webhooks/{id}/ping sends another');
    if (disabled !== null)
      throw new Failure(
        'conflict',
        `this webhook is disabled (${disabled}): repair its receiver, then ping it; a successful ping enables it`,
      );
    return queueAgain(tx, row.id, toTime(clock.now()));
  });
}

/** Only this answer contains the secret. */
export async function rotateSecret(
  { db, clock, keyring }: { db: Db; clock: Clock; keyring: Keyring },
  caller: Caller,
  { id, overlapHours }: { id: string; overlapHours: number },
): Promise<{ row: WebhookRow; secret: string }> {
  const secret = makeSecret();
  const row = await db.tx(async (tx) => {
    await lockOwnWebhook(tx, caller, id);
    const now = clock.now();
    if (overlapHours === 0) await dropOldSecrets(tx, id);
    else {
      if ((await countOldSecrets(tx, id, toTime(now))) >= MOST_OLD)
        throw new Failure(
          'conflict',
          `${MOST_OLD} older secrets still sign: wait until the first of them expires, or rotate with overlap_hours=0, which ends them all`,
        );
      await keepOldSecret(tx, id, toTime(now + overlapHours * HOUR_MS));
    }
    await setSecret(tx, id, keyring.close('webhook', secret, id));
    return (await findWebhook(tx, caller.userId, id)) ?? unknownWebhook();
  });
  return { row, secret: showSecret(secret) };
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
