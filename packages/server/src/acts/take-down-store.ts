import sql from 'sql-template-tag';
import type { Queryable, Tx } from '../db/db.ts';

export interface DescriptionTakedown {
  target_id: string;
  target: 'etch' | 'challenge';
  reason: string;
  taken_down_at: string;
}

export async function lockDescription(
  tx: Tx,
  id: string,
): Promise<{ user_id: string; description: string } | undefined> {
  const [row] = await tx.query<{ user_id: string; description: string }>(
    sql`select user_id, description from etch where id = ${id} for update`,
  );
  return row;
}

/** Waits for creations that have read the question (`findEntryTerms`). */
export async function lockQuestion(
  tx: Tx,
  id: string,
): Promise<{ creator_id: string; question: string } | undefined> {
  const [row] = await tx.query<{ creator_id: string; question: string }>(
    sql`select creator_id, question from challenge where id = ${id} for update`,
  );
  return row;
}

export async function writeDescription(tx: Tx, id: string, description: string): Promise<void> {
  await tx.query(sql`update etch set description = ${description} where id = ${id}`);
}

export async function writeQuestion(
  tx: Tx,
  id: string,
  { question, description }: { question: string; description: string },
): Promise<string[]> {
  await tx.query(sql`update challenge set question = ${question} where id = ${id}`);
  const rows = await tx.query<{ id: string }>(sql`
    with entry as (select id from etch where challenge_id = ${id} order by id for update)
    update etch e set description = ${description} from entry where e.id = entry.id returning e.id`);
  return rows.map((row) => row.id);
}

export async function findTargets(
  db: Queryable,
  ids: readonly string[],
): Promise<{ id: string; target: DescriptionTakedown['target']; words: string }[]> {
  return db.query(sql`
    select id, 'etch' as target, description as words from etch where id = any(${ids}::uuid[])
    union all select id, 'challenge', question from challenge where id = any(${ids}::uuid[])`);
}

export async function insertTakedowns(
  db: Queryable,
  takedowns: readonly DescriptionTakedown[],
): Promise<void> {
  await db.query(sql`
    insert into description_takedown (target_id, target, reason, taken_down_at)
    select * from unnest(${takedowns.map((one) => one.target_id)}::uuid[], ${takedowns.map((one) => one.target)}::text[],
      ${takedowns.map((one) => one.reason)}::text[], ${takedowns.map((one) => one.taken_down_at)}::timestamptz[])
    on conflict do nothing`);
}
