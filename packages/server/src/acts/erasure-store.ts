import sql from 'sql-template-tag';
import type { TakedownReason } from '@svc/contract';
import type { Queryable, Tx } from '../db/db.ts';
import type { AccountReason } from '../accounts/store.ts';

export interface Erasure {
  etch_id: string;
  hash: string;
  retracted_at: string;
  /** the operator's reason; absent for a retraction */
  taken_down?: string;
}

export type ErasureLine = Erasure | DescriptionTakedown;

export interface ErasurePlace {
  writtenAt: string;
  id: string;
}

interface LineRow {
  id: string;
  hash: string | null;
  at: string;
  reason: string | null;
  target: DescriptionTakedown['target'] | null;
  written_at: string;
}

export async function listErasures(db: Queryable, after: ErasurePlace | { since: string }, limit: number) {
  const where =
    'since' in after
      ? sql`written_at >= ${after.since}::timestamptz`
      : sql`(written_at, id) > (${after.writtenAt}::timestamptz, ${after.id}::uuid)`;
  const rows = await db.query<LineRow>(sql`
    select * from (
      select etch_id as id, encode(hash, 'hex') as hash, retracted_at as at, taken_down as reason, null::text as target, written_at
      from erasure
      union all select target_id, null, taken_down_at, reason, target, written_at from description_takedown
    ) line where ${where} order by written_at, id limit ${limit}`);
  return rows.map((row) => ({ ...lineOf(row), place: { writtenAt: row.written_at, id: row.id } }));
}

function lineOf({ id, hash, at, reason, target }: LineRow): ErasureLine {
  if (target !== null) return { target, target_id: id, reason: reason!, taken_down_at: at };
  return { etch_id: id, hash: hash!, retracted_at: at, ...(reason !== null && { taken_down: reason }) };
}

export const findUnerased = (db: Queryable, ids: readonly string[]) =>
  db.query<{ id: string; hash: string }>(sql`
    select id, encode(hash, 'hex') as hash from etch where id = any(${ids}::uuid[])
      and (status <> 'retracted' or exists (select from withheld w where w.etch_id = etch.id))`);

export const insertErasures = (db: Queryable, erasures: readonly Erasure[]) =>
  db.query(sql`
    insert into erasure (etch_id, hash, retracted_at, taken_down)
    select etch_id, decode(hash, 'hex'), retracted_at, taken_down
    from unnest(${erasures.map((one) => one.etch_id)}::uuid[], ${erasures.map((one) => one.hash)}::text[],
      ${erasures.map((one) => one.retracted_at)}::timestamptz[], ${erasures.map((one) => one.taken_down ?? null)}::text[])
      as e (etch_id, hash, retracted_at, taken_down)
    on conflict do nothing`);

export interface DescriptionTakedown {
  target_id: string;
  target: 'etch' | 'challenge';
  reason: string;
  taken_down_at: string;
}

export const lockDescription = (tx: Tx, id: string) =>
  tx.first<{ user_id: string; description: string }>(
    sql`select user_id, description from etch where id = ${id} for update`,
  );

/** Waits for creations that have read the question (`findEntryTerms`). */
export const lockQuestion = (tx: Tx, id: string) =>
  tx.first<{ creator_id: string; question: string }>(
    sql`select creator_id, question from challenge where id = ${id} for update`,
  );

export const writeDescription = (tx: Tx, id: string, description: string) =>
  tx.query(sql`update etch set description = ${description} where id = ${id}`);

export async function writeQuestion(
  tx: Tx,
  id: string,
  { question, description }: { question: string; description: string },
): Promise<string[]> {
  await tx.query(sql`update challenge set question = ${question} where id = ${id}`);
  return tx.column<string>(sql`
    with entry as (select id from etch where challenge_id = ${id} order by id for update)
    update etch e set description = ${description} from entry where e.id = entry.id returning e.id`);
}

export const findTargets = (db: Queryable, ids: readonly string[]) =>
  db.query<{ id: string; target: DescriptionTakedown['target']; words: string }>(sql`
    select id, 'etch' as target, description as words from etch where id = any(${ids}::uuid[])
    union all select id, 'challenge', question from challenge where id = any(${ids}::uuid[])`);

export const insertTakedowns = (db: Queryable, takedowns: readonly DescriptionTakedown[]) =>
  db.query(sql`
    insert into description_takedown (target_id, target, reason, taken_down_at)
    select * from unnest(${takedowns.map((one) => one.target_id)}::uuid[], ${takedowns.map((one) => one.target)}::text[],
      ${takedowns.map((one) => one.reason)}::text[], ${takedowns.map((one) => one.taken_down_at)}::timestamptz[])
    on conflict do nothing`);

/** The table rejects updates and deletes. */
export type OperatorAct =
  | 'suspend'
  | 'restore'
  | 'revoke'
  | 'hide'
  | 'unhide'
  | 'take_down'
  | 'take_down_description';

interface ActRow {
  id: number;
  at: string;
  act: OperatorAct;
  user_id: string;
  username: string | null;
  etch_id: string | null;
  challenge_id: string | null;
  reason: AccountReason | TakedownReason | null;
  by: string;
}

export const noteAct = (
  tx: Tx,
  done: {
    act: OperatorAct;
    userId: string;
    etchId?: string;
    challengeId?: string;
    reason?: string | null;
    by: string;
    at: string;
  },
) =>
  tx.query(sql`
    insert into operator_act (act, user_id, etch_id, challenge_id, reason, by, at)
    values (${done.act}, ${done.userId}, ${done.etchId ?? null}, ${done.challengeId ?? null}, ${done.reason ?? null}, ${done.by}, ${done.at})`);

export const listActs = (db: Queryable, { after, limit }: { after: number; limit: number }) =>
  db.query<ActRow>(sql`
    select o.id, o.at, o.act, o.user_id, a.username, o.etch_id, o.challenge_id, o.reason, o.by
    from operator_act o left join account a on a.id = o.user_id where o.id > ${after} order by o.id limit ${limit}`);
