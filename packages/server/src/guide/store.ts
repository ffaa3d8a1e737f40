import sql from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';

export interface AnswerRow {
  user_id: string | null;
  anon_key: string | null;
  username: string | null;
  question: string;
  answer: string;
}

export async function insertAnswers(
  db: Queryable,
  who: { userId: string | null; anonKey: string | null },
  answers: readonly { question: string; answer: string }[],
  at: string,
): Promise<void> {
  await db.query(sql`
    insert into guide_answer (user_id, anon_key, question, answer, created_at)
    select ${who.userId}::uuid, ${who.anonKey}::uuid, q, a, ${at}
    from unnest(${answers.map((one) => one.question)}::text[], ${answers.map((one) => one.answer)}::text[])
      with ordinality as v (q, a, n) order by n`);
}

/** Answers may be long. */
const AT_ONCE = 100;

export async function listAnswerRows(db: Queryable, userId?: string): Promise<AnswerRow[]> {
  const whose = userId === undefined ? sql`` : sql`and g.user_id = ${userId}`;
  const all: AnswerRow[] = [];
  for (let last = 0; ;) {
    const rows: (AnswerRow & { id: number })[] = await db.query(sql`
      select g.id, g.user_id, g.anon_key, a.username, g.question, g.answer
      from guide_answer g left join account a on a.id = g.user_id
      where g.id > ${last} ${whose} order by g.id limit ${AT_ONCE}`);
    for (const { id, ...row } of rows) {
      all.push(row);
      last = id;
    }
    if (rows.length < AT_ONCE) return all;
  }
}

export type DoneSteps = Record<StepId, boolean>;

export async function findDoneSteps(
  db: Queryable,
  userIds: readonly string[],
  now: string,
): Promise<Map<string, DoneSteps>> {
  const mine = sql`from etch where user_id = u.id`;
  const rows = await db.query<DoneSteps & { user_id: string }>(sql`select u.id as user_id,
    exists (select 1 ${mine} and mode = 'instant') as etch,
    exists (select 1 ${mine} and mode = 'delayed') as seal,
    exists (select 1 ${mine} and mode = 'delayed' and status <> 'retracted' and reveal_at <= ${now}) as reveal,
    exists (select 1 from etch e join batch_leaf l on l.kind = 0 and l.etch_id = e.id join batch b on b.id = l.batch_id
            where e.user_id = u.id and b.anchored_at is not null) as anchor,
    exists (select 1 ${mine} and status = 'retracted') as retract,
    exists (select 1 ${mine} and challenge_id is not null) as challenge,
    exists (select 1 from challenge where creator_id = u.id) as ask,
    exists (select 1 from follow where user_id = u.id) as follow,
    exists (select 1 from api_key where user_id = u.id and name not in ('registration', 'recovered')) as key
    from unnest(${userIds}::uuid[]) as u (id)`);
  return new Map(rows.map((row) => [row.user_id, row]));
}

export async function findProofEtch(db: Queryable, userId: string, now: string): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(sql`
    select id from etch where user_id = ${userId} and (status = 'revealed' or (status = 'sealed' and reveal_at <= ${now}))
    order by created_at desc, id limit 1`);
  return row?.id;
}

/** An account's record decides which steps are done. */
export const STEPS = [
  { id: 'etch', title: 'Etch a text that is public at once' },
  { id: 'seal', title: 'Seal a text until a time of your choice' },
  { id: 'reveal', title: 'See a sealed text revealed' },
  { id: 'anchor', title: 'See an etch anchored on the chain' },
  { id: 'retract', title: 'Retract an etch and find its tombstone' },
  { id: 'challenge', title: 'Enter a challenge' },
  { id: 'ask', title: 'Open a challenge' },
  { id: 'follow', title: 'Follow an account, a topic, a challenge or an etch' },
  { id: 'key', title: 'Make an API key beside your first one' },
] as const;

type StepId = (typeof STEPS)[number]['id'];

export const QUESTIONS = [
  { id: 'expected', text: 'What did you come here to do, and could you do it?' },
  { id: 'confusing', text: 'Where did you stop and wonder?' },
  { id: 'trust', text: 'What would make you trust a record here, and what makes you doubt it?' },
  { id: 'missing', text: 'What did you look for and not find?' },
  { id: 'broken', text: 'What did not work? What did you do, and what happened?' },
  { id: 'anything', text: 'Anything else?' },
] as const;
