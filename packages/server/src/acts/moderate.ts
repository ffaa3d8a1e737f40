import type { TakedownReason } from '@svc/contract';
import {
  type AccountReason,
  lockNamed,
  type OperatorStanding,
  writeHidden,
  writeSuspended,
} from '../accounts/standing-store.ts';
import { revokeAllKeys } from '../accounts/store.ts';
import { toTime } from '../db/clock.ts';
import type { Db, Tx } from '../db/db.ts';
import { Failure } from '../errors/failure.ts';
import { endAllSessions } from '../identity/web-session/store.ts';
import { renewState } from '../search-index/state-store.ts';
import { lockEtch } from './change-store.ts';
import { noteAct, type OperatorAct } from './moderation-store.ts';
import { erase } from './retract.ts';

/** Who does it, and when (milliseconds). */
export interface Doing {
  by: string;
  now: number;
}

/** An act upon an account and its row in the log, in one transaction. @throws Failure not_found */
async function onAccount<T>(
  db: Db,
  username: string,
  { by, now }: Doing,
  work: (
    tx: Tx,
    account: OperatorStanding,
  ) => Promise<{ act: OperatorAct; reason?: AccountReason | null; result: T } | null>,
): Promise<T | null> {
  return db.tx(async (tx) => {
    const account = await lockNamed(tx, username);
    if (!account) throw new Failure('not_found', `there is no account ${username}`);
    const done = await work(tx, account);
    if (!done) return null;
    const { act, reason = null } = done;
    await noteAct(tx, { act, userId: account.id, reason, by, at: toTime(now) });
    return done.result;
  });
}

/** Null: it is so already. @throws Failure not_found */
export function suspend(db: Db, username: string, reason: AccountReason, doing: Doing): Promise<true | null> {
  return onAccount(db, username, doing, async (tx, { id, suspended_for: before }) => {
    if (before === reason) return null;
    await writeSuspended(tx, id, reason);
    return { act: 'suspend', reason, result: true };
  });
}

/** Null: it was not suspended. @throws Failure not_found */
export function restoreAccount(db: Db, username: string, doing: Doing): Promise<true | null> {
  return onAccount(db, username, doing, async (tx, { id, suspended_for: before }) => {
    if (before === null) return null;
    await writeSuspended(tx, id, null);
    return { act: 'restore', result: true };
  });
}

/** Keeps an account's texts and questions out of the feed and off the first page; null as `reason` ends it. @throws Failure not_found */
export function hide(
  db: Db,
  username: string,
  reason: AccountReason | null,
  doing: Doing,
): Promise<true | null> {
  return onAccount(db, username, doing, async (tx, { id, hidden_for: before }) => {
    if (before === reason) return null;
    await writeHidden(tx, id, reason);
    await renewState(tx);
    return { act: reason === null ? 'unhide' : 'hide', reason, result: true };
  });
}

/** Every key that works and every session of the pages, named by the ledger of revocations. @throws Failure not_found */
export async function revokeAll(
  db: Db,
  username: string,
  doing: Doing,
): Promise<{ keys: number; sessions: number }> {
  const done = await onAccount(db, username, doing, async (tx, { id }) => ({
    act: 'revoke',
    result: {
      keys: await revokeAllKeys(tx, id, toTime(doing.now)),
      sessions: await endAllSessions(tx, id, toTime(doing.now)),
    },
  }));
  return done!;
}

/**
 * Takes a text down: its author's retraction in every respect, by other hands. The tombstone on the chain is like any other; that it
 * was the operator, and why, stands beside the record.
 * @throws Failure not_found, unprocessable
 */
export async function takeDown(
  db: Db,
  id: string,
  reason: TakedownReason,
  { by, now }: Doing,
): Promise<void> {
  await db.tx(async (tx) => {
    const row = await lockEtch(tx, id);
    if (!row) throw new Failure('not_found', 'there is no such etch');
    if (row.status === 'retracted') throw new Failure('unprocessable', 'the etch is already retracted');
    await noteAct(tx, { act: 'take_down', userId: row.user_id, etchId: id, reason, by, at: toTime(now) });
    await erase(tx, row, now, reason);
  });
}
