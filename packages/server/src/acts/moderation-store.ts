import type { TakedownReason } from '@svc/contract';
import { descriptionTakenDown, questionTakenDown } from '@svc/protocol';
import {
  type AccountReason,
  lockNamed,
  type OperatorStanding,
  revokeAllKeys,
  writeHidden,
  writeSuspended,
} from '../accounts/store.ts';
import { toTime } from '../db/clock.ts';
import type { Db, Tx } from '../db/db.ts';
import { Failure } from '../platform/failure.ts';
import { endAllSessions } from '../identity/web-session/store.ts';
import { indexQuestion, renewState } from '../search-index/names-store.ts';
import { lockEtch } from './change-store.ts';
import {
  type DescriptionTakedown,
  findTargets,
  insertTakedowns,
  lockDescription,
  lockQuestion,
  noteAct,
  type OperatorAct,
  writeDescription,
  writeQuestion,
} from './erasure-store.ts';
import { erase } from './retract.ts';
import { entryDescription } from '../challenges/view.ts';
import { indexDescriptions } from '../search-index/index-store.ts';

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
export function suspend(db: Db, username: string, reason: AccountReason, operator: ByOperator) {
  return onAccount(db, username, operator, async (tx, { id, suspended_for: before }) => {
    if (before === reason) return null;
    await writeSuspended(tx, id, reason);
    return { act: 'suspend', reason, result: true as const };
  });
}

/** @returns null if not suspended */
export function restoreAccount(db: Db, username: string, operator: ByOperator): Promise<true | null> {
  return onAccount(db, username, operator, async (tx, { id, suspended_for: before }) => {
    if (before === null) return null;
    await writeSuspended(tx, id, null);
    return { act: 'restore', result: true as const };
  });
}

export function hide(db: Db, username: string, reason: AccountReason | null, operator: ByOperator) {
  return onAccount(db, username, operator, async (tx, { id, hidden_for: before }) => {
    if (before === reason) return null;
    await writeHidden(tx, id, reason);
    await renewState(tx);
    return { act: reason === null ? 'unhide' : 'hide', reason, result: true as const };
  });
}

export async function revokeAll(db: Db, username: string, operator: ByOperator) {
  const done = await onAccount(db, username, operator, async (tx, { id }) => ({
    act: 'revoke',
    result: {
      keys: await revokeAllKeys(tx, id, toTime(operator.now)),
      sessions: await endAllSessions(tx, id, toTime(operator.now)),
    },
  }));
  return done!;
}

export async function takeDown(db: Db, id: string, reason: TakedownReason, { by, now }: ByOperator) {
  await db.tx(async (tx) => {
    const row = await lockEtch(tx, id);
    if (!row) throw new Failure('not_found', 'there is no such etch');
    if (row.status === 'retracted') throw new Failure('unprocessable', 'the etch is already retracted');
    await noteAct(tx, { act: 'take_down', userId: row.user_id, etchId: id, reason, by, at: toTime(now) });
    await erase(tx, row, now, reason);
  });
}

type DescriptionTarget = Pick<DescriptionTakedown, 'target' | 'target_id'>;

export async function takeDownDescription(
  db: Db,
  { target, target_id: id }: DescriptionTarget,
  reason: TakedownReason,
  { by, now }: ByOperator,
): Promise<void> {
  await db.tx(async (tx) => {
    const done = await (target === 'etch' ? blankDescription(tx, id) : blankQuestion(tx, id));
    if (!done) throw new Failure('not_found', `there is no such ${target}`);
    if (!done.changed) throw new Failure('unprocessable', 'it is already taken down');
    await insertTakedowns(tx, [{ target, target_id: id, reason, taken_down_at: toTime(now) }]);
    await noteAct(tx, {
      act: 'take_down_description',
      userId: done.userId,
      ...(target === 'etch' ? { etchId: id } : { challengeId: id }),
      reason,
      by,
      at: toTime(now),
    });
    await renewState(tx);
  });
}

export async function replayTakedowns(db: Db, takedowns: readonly DescriptionTakedown[]): Promise<number> {
  if (takedowns.length === 0) return 0;
  let again = 0;
  for (const { id, target } of await findTargets(
    db,
    takedowns.map((one) => one.target_id),
  )) {
    const changed = await db.tx(async (tx) => {
      const done = await (target === 'etch' ? blankDescription(tx, id) : blankQuestion(tx, id));
      if (done?.changed) await renewState(tx);
      return done?.changed ?? false;
    });
    if (changed) again++;
  }
  await insertTakedowns(db, takedowns);
  return again;
}

async function blankDescription(tx: Tx, id: string) {
  const row = await lockDescription(tx, id);
  if (!row) return undefined;
  const shown = descriptionTakenDown(row.description);
  if (shown === row.description) return { userId: row.user_id, changed: false };
  await writeDescription(tx, id, shown);
  await indexDescriptions(tx, [id], shown);
  return { userId: row.user_id, changed: true };
}

async function blankQuestion(tx: Tx, id: string) {
  const row = await lockQuestion(tx, id);
  if (!row) return undefined;
  const question = questionTakenDown(row.question);
  if (question === row.question) return { userId: row.creator_id, changed: false };
  const description = entryDescription(question);
  const entries = await writeQuestion(tx, id, { question, description });
  await indexQuestion(tx, id, question);
  await indexDescriptions(tx, entries, description);
  return { userId: row.creator_id, changed: true };
}
