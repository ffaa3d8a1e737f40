// The acts of operators: suspend, hide, revoke, and take a text down. Each act adds a permanent row to a log.
import type { TakedownReason } from '@svc/contract';
import { descriptionTakenDown, questionTakenDown } from '@svc/protocol';
import sql from 'sql-template-tag';
import { hardenFingerprints } from '../accounts/guess-store.ts';
import { revokeAllKeys } from '../accounts/key-store.ts';
import { type AccountReason, lockStanding, type OperatorDecision, writeStanding } from '../accounts/store.ts';
import { entryDescription } from '../challenges/view.ts';
import { toTime } from '../db/clock.ts';
import type { Db, Queryable, Tx } from '../db/db.ts';
import { endAllSessions } from '../identity/web-session/store.ts';
import { Failure } from '../platform/failure.ts';
import { indexDescriptions } from '../search-index/index-store.ts';
import { indexQuestion, renewState } from '../search-index/names-store.ts';
import { erase, lockEtch } from './retract-store.ts';

export interface ByOperator {
  by: string;
  now: number;
}

/** The table rejects updates and deletes. */
interface OperatorAct {
  act: 'suspend' | 'restore' | 'revoke' | 'hide' | 'unhide' | 'take_down' | 'take_down_description';
  user_id: string;
  etch_id?: string | null;
  challenge_id?: string | null;
  reason?: AccountReason | TakedownReason | null;
}

const noteAct = (
  tx: Tx,
  { act, user_id, etch_id, challenge_id, reason }: OperatorAct,
  { by, now }: ByOperator,
) =>
  tx.query(sql`
    insert into operator_act (act, user_id, etch_id, challenge_id, reason, by, at)
    values (${act}, ${user_id}, ${etch_id}, ${challenge_id}, ${reason}, ${by}, ${toTime(now)})`);

interface NotedAct extends Required<OperatorAct> {
  id: number;
  at: string;
  username: string | null;
  by: string;
}

export const listActs = (db: Queryable, { after, limit }: { after: number; limit: number }) =>
  db.query<NotedAct>(sql`
    select o.id, o.at, o.act, o.user_id, a.username, o.etch_id, o.challenge_id, o.reason, o.by
    from operator_act o left join account a on a.id = o.user_id where o.id > ${after} order by o.id limit ${limit}`);

function onAccount<T>(db: Db, username: string, work: (tx: Tx, account: OperatorDecision) => Promise<T>) {
  return db.tx(async (tx) => {
    const account = await lockStanding(tx, username);
    if (!account) throw new Failure('not_found', `there is no account ${username}`);
    return work(tx, account);
  });
}

const ACTS = {
  suspended_for: ['suspend', 'restore'],
  hidden_for: ['hide', 'unhide'],
} as const;

function setStanding(
  db: Db,
  username: string,
  { column, reason }: { column: keyof typeof ACTS; reason: AccountReason | null },
  operator: ByOperator,
): Promise<true | null> {
  return onAccount(db, username, async (tx, account) => {
    if (account[column] === reason) return null;
    await writeStanding(tx, { ...account, [column]: reason });
    if (column === 'hidden_for') await renewState(tx);
    const act = ACTS[column][reason === null ? 1 : 0];
    await noteAct(tx, { act, user_id: account.id, reason }, operator);
    return true;
  });
}

/** @returns null if already suspended for this reason */
export const suspend = (db: Db, username: string, reason: AccountReason, operator: ByOperator) =>
  setStanding(db, username, { column: 'suspended_for', reason }, operator);

/** @returns null if not suspended */
export const restoreAccount = (db: Db, username: string, operator: ByOperator) =>
  setStanding(db, username, { column: 'suspended_for', reason: null }, operator);

export const hide = (db: Db, username: string, reason: AccountReason | null, operator: ByOperator) =>
  setStanding(db, username, { column: 'hidden_for', reason }, operator);

export function revokeAll(db: Db, username: string, operator: ByOperator) {
  return onAccount(db, username, async (tx, { id }) => {
    const at = toTime(operator.now);
    const revoked = {
      keys: await revokeAllKeys(tx, id, at),
      sessions: await endAllSessions(tx, id, at),
    };
    await noteAct(tx, { act: 'revoke', user_id: id }, operator);
    return revoked;
  });
}

export async function takeDown(db: Db, id: string, reason: TakedownReason, operator: ByOperator) {
  const hardened = await hardenFingerprints(db, id);
  await db.tx(async (tx) => {
    const row = await lockEtch(tx, id);
    if (!row) throw new Failure('not_found', 'there is no such etch');
    if (row.status === 'retracted') throw new Failure('unprocessable', 'the etch is already retracted');
    await noteAct(tx, { act: 'take_down', user_id: row.user_id, etch_id: id, reason }, operator);
    await erase(tx, row, operator.now, { hardened, takenDown: reason });
  });
}

export interface DescriptionTakedown {
  target_id: string;
  target: 'etch' | 'challenge';
  reason: string;
  taken_down_at: string;
}

export async function takeDownDescription(
  db: Db,
  { target, target_id }: Pick<DescriptionTakedown, 'target' | 'target_id'>,
  reason: TakedownReason,
  operator: ByOperator,
): Promise<void> {
  await db.tx(async (tx) => {
    const done = await blank(tx, target, target_id);
    if (!done) throw new Failure('not_found', `there is no such ${target}`);
    if (!done.changed) throw new Failure('unprocessable', 'it is already taken down');
    await insertTakedowns(tx, [{ target, target_id, reason, taken_down_at: toTime(operator.now) }]);
    const ids = target === 'etch' ? { etch_id: target_id } : { challenge_id: target_id };
    await noteAct(tx, { act: 'take_down_description', user_id: done.user_id, ...ids, reason }, operator);
    await renewState(tx);
  });
}

export async function replayTakedowns(db: Db, takedowns: readonly DescriptionTakedown[]): Promise<number> {
  if (takedowns.length === 0) return 0;
  const ids = takedowns.map((one) => one.target_id);
  const found = await db.query<{ id: string; target: DescriptionTakedown['target'] }>(sql`
    select id, 'etch' as target from etch where id = any(${ids}::uuid[])
    union all select id, 'challenge' from challenge where id = any(${ids}::uuid[])`);
  let again = 0;
  for (const { id, target } of found)
    await db.tx(async (tx) => {
      if (!(await blank(tx, target, id))?.changed) return;
      await renewState(tx);
      again++;
    });
  await insertTakedowns(db, takedowns);
  return again;
}

const insertTakedowns = (db: Queryable, takedowns: readonly DescriptionTakedown[]) =>
  db.query(sql`
    insert into description_takedown (target_id, target, reason, taken_down_at)
    select * from unnest(${takedowns.map((one) => one.target_id)}::uuid[], ${takedowns.map((one) => one.target)}::text[],
      ${takedowns.map((one) => one.reason)}::text[], ${takedowns.map((one) => one.taken_down_at)}::timestamptz[])
    on conflict do nothing`);

function blank(tx: Tx, target: DescriptionTakedown['target'], id: string) {
  return target === 'etch' ? blankDescription(tx, id) : blankQuestion(tx, id);
}

async function blankDescription(tx: Tx, id: string) {
  const row = await tx.first<{ user_id: string; description: string }>(
    sql`select user_id, description from etch where id = ${id} for update`,
  );
  if (!row) return undefined;
  const shown = descriptionTakenDown(row.description);
  const changed = shown !== row.description;
  if (changed) {
    await tx.query(sql`update etch set description = ${shown} where id = ${id}`);
    await indexDescriptions(tx, [id], shown);
  }
  return { user_id: row.user_id, changed };
}

/** Waits for creations that have read the question (`findEntryTerms`). */
async function blankQuestion(tx: Tx, id: string) {
  const row = await tx.first<{ user_id: string; question: string }>(
    sql`select creator_id as user_id, question from challenge where id = ${id} for update`,
  );
  if (!row) return undefined;
  const question = questionTakenDown(row.question);
  const changed = question !== row.question;
  if (changed) {
    const description = entryDescription(question);
    await tx.query(sql`update challenge set question = ${question} where id = ${id}`);
    const entries = await tx.column<string>(sql`
      with entry as (select id from etch where challenge_id = ${id} order by id for update)
      update etch e set description = ${description} from entry where e.id = entry.id returning e.id`);
    await indexQuestion(tx, id, question);
    await indexDescriptions(tx, entries, description);
  }
  return { user_id: row.user_id, changed };
}
