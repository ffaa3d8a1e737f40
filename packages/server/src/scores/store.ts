import sql, { type Sql } from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';

/** What scores need of an etch, and of the challenge that it answers. */
export interface ScoreRow {
  id: string;
  user_id: string;
  username: string;
  mode: 'instant' | 'delayed';
  status: 'sealed' | 'revealed' | 'retracted';
  description: string;
  /** what a convention reads of it: its first line, or a whole list of files */
  content: string | null;
  sealed: Buffer | null;
  created_at: string;
  reveal_at: string | null;
  anchored_at: string | null;
  challenge_id: string | null;
  question: string | null;
  creator_id: string | null;
  closes: string | null;
}

/** Rows that are read, and opened, in one go: each may be of the largest size. */
const PAGE = 100;

const FIRST_LINE = sql`case when e.content like 'svc-files:%' then e.content else split_part(e.content, E'\\n', 1) end`;

const selectRows = (which: Sql): Sql => sql`
  select e.id, e.user_id, a.username, e.mode, e.status, e.description, ${FIRST_LINE} as content, e.sealed, e.created_at,
    e.reveal_at, cb.anchored_at, e.challenge_id, c.question, c.creator_id, c.reveal_at as closes
  from etch e
  join account a on a.id = e.user_id
  left join challenge c on c.id = e.challenge_id
  left join batch_leaf cl on cl.kind = 0 and cl.etch_id = e.id
  left join batch cb on cb.id = cl.batch_id
  where ${which}`;

/** Page after page of what an account forecast, resolved, and took back: the newest first. */
export async function* readOwn(
  db: Queryable,
  userId: string,
  now: string,
): AsyncGenerator<ScoreRow[], void, undefined> {
  yield* newestFirst(
    db,
    sql`e.user_id = ${userId} and (e.challenge_id is not null or e.content like 'svc-forecast:v1%'
      or e.content like 'svc-resolution:v1%' or (e.status = 'retracted' and e.mode = 'instant')
      or (e.status = 'sealed' and e.reveal_at <= ${now}))`,
  );
}

/** Page after page of what may have resolved an account's challenges. */
export async function* readResolutions(
  db: Queryable,
  userId: string,
): AsyncGenerator<ScoreRow[], void, undefined> {
  yield* newestFirst(
    db,
    sql`e.user_id = ${userId} and e.mode = 'instant' and e.challenge_id is null
      and (e.content like 'svc-resolution:v1%' or e.status = 'retracted')`,
  );
}

async function* newestFirst(db: Queryable, which: Sql): AsyncGenerator<ScoreRow[], void, undefined> {
  let last: ScoreRow | undefined;
  for (;;) {
    const after = last
      ? sql`and e.created_at <= ${last.created_at} and (e.created_at < ${last.created_at} or e.id > ${last.id}::uuid)`
      : sql``;
    const rows: ScoreRow[] = await db.query<ScoreRow>(
      sql`${selectRows(which)} ${after} order by e.created_at desc, e.id limit ${PAGE}`,
    );
    yield rows;
    last = rows.at(-1);
    if (rows.length < PAGE || !last) return;
  }
}

/** Page after page of the answers to a challenge. */
export async function* readAnswers(
  db: Queryable,
  challengeId: string,
): AsyncGenerator<ScoreRow[], void, undefined> {
  let last: ScoreRow | undefined;
  for (;;) {
    const after = last
      ? sql`and (e.created_at, e.id) > (${last.created_at}::timestamptz, ${last.id}::uuid)`
      : sql``;
    const rows: ScoreRow[] = await db.query<ScoreRow>(
      sql`${selectRows(sql`e.challenge_id = ${challengeId}`)} ${after} order by e.created_at, e.id limit ${PAGE}`,
    );
    yield rows;
    last = rows.at(-1);
    if (rows.length < PAGE || !last) return;
  }
}

/** How many etches of these accounts are still sealed, and how many are retracted. */
export async function countBeside(
  db: Queryable,
  userIds: readonly string[],
  now: string,
): Promise<{ user_id: string; sealed: number; retracted: number }[]> {
  return db.query(sql`
    select user_id, count(*) filter (where status = 'sealed' and reveal_at > ${now}) as sealed,
      count(*) filter (where status = 'retracted') as retracted
    from etch where user_id = any(${userIds}::uuid[]) and status <> 'revealed' group by user_id`);
}

export async function findScoredAccount(
  db: Queryable,
  username: string,
): Promise<{ user_id: string; username: string } | undefined> {
  const [row] = await db.query<{ user_id: string; username: string }>(
    sql`select id as user_id, username from account where username = ${username}`,
  );
  return row;
}

export async function findScoredChallenge(
  db: Queryable,
  id: string,
): Promise<{ id: string; question: string; creator_id: string; reveal_at: string } | undefined> {
  const [row] = await db.query<{ id: string; question: string; creator_id: string; reveal_at: string }>(
    sql`select id, question, creator_id, reveal_at from challenge where id = ${id}`,
  );
  return row;
}
