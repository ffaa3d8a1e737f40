import { randomUUID } from 'node:crypto';
import { EVENT_TYPES, type EventType } from '@svc/contract';
import { lockAccount } from '../accounts/store.ts';
import { type Clock, toTime } from '../db/clock.ts';
import type { Db } from '../db/db.ts';
import { Failure } from '../errors/failure.ts';
import type { Caller } from '../identity/caller.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { readReceiver } from './receiver.ts';
import { makeSecret, showSecret } from './signature.ts';
import { countWebhooks, deleteWebhookRow, findWebhook, insertWebhook, type WebhookRow } from './store.ts';

/** Adds one; its secret is in the answer, and encrypted in the row. @throws Failure bad_request, conflict */
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

/** @throws Failure not_found */
export async function deleteWebhook(db: Db, caller: Caller, id: string): Promise<WebhookRow> {
  return (await deleteWebhookRow(db, caller.userId, id)) ?? unknownWebhook();
}

/** The caller's own. @throws Failure not_found */
export async function ownWebhook(db: Db, caller: Caller, id: string): Promise<WebhookRow> {
  return (await findWebhook(db, caller.userId, id)) ?? unknownWebhook();
}

export const NO_WEBHOOK = 'this account has no webhook with that id';

function unknownWebhook(): never {
  throw new Failure('not_found', NO_WEBHOOK);
}
