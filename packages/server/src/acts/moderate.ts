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
import { Failure } from '../platform/failure.ts';
import { endAllSessions } from '../identity/web-session/store.ts';
import { renewState } from '../search-index/state-store.ts';
import { lockEtch } from './change-store.ts';
import { noteAct, type OperatorAct } from './moderation-store.ts';
import { erase } from './retract.ts';

export interface ByOperator {
  by: string;
  now: number;
}

async function onAccount<T>(
  db: Db,
  username: string,
  { by, now }: ByOperator,
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

/** @returns null if already suspended for this reason */
export function suspend(
  db: Db,
  username: string,
  reason: AccountReason,
  operator: ByOperator,
): Promise<true | null> {
  return onAccount(db, username, operator, async (tx, { id, suspended_for: before }) => {
    if (before === reason) return null;
    await writeSuspended(tx, id, reason);
    return { act: 'suspend', reason, result: true };
  });
}

/** @returns null if not suspended */
export function restoreAccount(db: Db, username: string, operator: ByOperator): Promise<true | null> {
  return onAccount(db, username, operator, async (tx, { id, suspended_for: before }) => {
    if (before === null) return null;
    await writeSuspended(tx, id, null);
    return { act: 'restore', result: true };
  });
}

export function hide(
  db: Db,
  username: string,
  reason: AccountReason | null,
  operator: ByOperator,
): Promise<true | null> {
  return onAccount(db, username, operator, async (tx, { id, hidden_for: before }) => {
    if (before === reason) return null;
    await writeHidden(tx, id, reason);
    await renewState(tx);
    return { act: reason === null ? 'unhide' : 'hide', reason, result: true };
  });
}

export async function revokeAll(
  db: Db,
  username: string,
  operator: ByOperator,
): Promise<{ keys: number; sessions: number }> {
  const done = await onAccount(db, username, operator, async (tx, { id }) => ({
    act: 'revoke',
    result: {
      keys: await revokeAllKeys(tx, id, toTime(operator.now)),
      sessions: await endAllSessions(tx, id, toTime(operator.now)),
    },
  }));
  return done!;
}

export async function takeDown(
  db: Db,
  id: string,
  reason: TakedownReason,
  { by, now }: ByOperator,
): Promise<void> {
  await db.tx(async (tx) => {
    const row = await lockEtch(tx, id);
    if (!row) throw new Failure('not_found', 'there is no such etch');
    if (row.status === 'retracted') throw new Failure('unprocessable', 'the etch is already retracted');
    await noteAct(tx, { act: 'take_down', userId: row.user_id, etchId: id, reason, by, at: toTime(now) });
    await erase(tx, row, now, reason);
  });
}
