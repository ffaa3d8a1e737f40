import sql, { type Sql } from 'sql-template-tag';
import type { Queryable } from '../../db/db.ts';
import type { EtchRow } from '../../etches/row.ts';
import { IS_RESOLUTION } from '../../events/resolved-store.ts';

type EtchColumns =
  | (
      | 'id'
      | 'user_id'
      | 'username'
      | 'mode'
      | 'status'
      | 'description'
      | 'sealed'
      | 'created_at'
      | 'reveal_at'
    )
  | 'challenge_id';
export interface ScoreRow extends Pick<EtchRow, EtchColumns> {
  taken_down: boolean;
  /** the first line, or a whole list of files */
  content: string | null;
  anchored_at: string | null;
  question: string | null;
  creator_id: string | null;
  closes: string | null;
}

/** A page of the largest sealed rows takes a few megabytes. */
const PAGE = 1_000;

/** Keeps the LF, which decides about a CR before it. Other text is read as empty. */
const FIRST_LINE = sql`case when e.content like 'svc-files:%' then e.content
  when e.content like 'svc-%' then left(e.content, strpos(e.content || E'\\n', E'\\n')) else left(e.content, 0) end`;

/** Must repeat the condition of the index etch_judged (000021_judged.sql) literally. */
const JUDGED = sql`(e.challenge_id is not null or e.content like 'svc-forecast:v1%'
  or e.content like 'svc-resolution:v1%' or (e.status = 'retracted' and e.mode = 'instant'))`;

/** Only a question with a bracket may require more than a text. */
export async function listOwn(db: Queryable, userId: string, { now, most }: { now: string; most: number }) {
  return list(
    db,
    sql`select e.id from etch e left join challenge c on c.id = e.challenge_id
        where e.user_id = ${userId} and ${JUDGED} and (e.challenge_id is null or c.question like '%]%')
      union all
        select id from etch
        where user_id = ${userId} and challenge_id is null and status = 'sealed' and reveal_at <= ${now}`,
    most,
  );
}

/** Lists the first `each` of each question in order of attestation, with retracted ones. */
export async function listResolutions(
  db: Queryable,
  { resolvers, targets, each }: { resolvers: readonly string[]; targets: readonly string[]; each: number },
  most: number,
): Promise<string[]> {
  return list(
    db,
    sql`select r.id from unnest(${targets}::text[]) as t (target) cross join lateral (
      select e.id from etch e
      left join lateral (
        select batch.anchored_at from batch_leaf join batch on batch.id = batch_id
        where batch_leaf.kind = 0 and etch_id = e.id limit 1) b on true
      where ${IS_RESOLUTION} and split_part(e.description, ' ', 2) = t.target and e.user_id = any(${resolvers}::uuid[])
      order by b.anchored_at, e.created_at, e.id limit ${each}) r`,
    most,
  );
}

/**
 * A condition on the id of a challenge: its creator resolved it. Compares the description as the index
 * etch_resolution does, because reading the words would cost more.
 */
export function isResolved(wanted: boolean): Sql {
  const target = sql`split_part(e.description, ' ', 2)`;
  return sql`id ${wanted ? sql`in` : sql`not in`} (
    select c.id from etch e
    join challenge c on c.creator_id = e.user_id and c.reveal_at <= e.created_at
      and c.id = case when ${target} ~ '^[0-9a-f-]{36}$' then ${target}::uuid end
    where split_part(e.description, ' ', 1) = 'svc-resolution:v1' and e.mode = 'instant' and e.challenge_id is null
      and e.content like 'svc-resolution:v1%' and e.status = 'revealed'
      and exists (select 1 from batch_leaf l join batch b on b.id = l.batch_id
        where l.kind = 0 and l.etch_id = e.id and b.anchored_at is not null))`;
}

export const listAnswers = async (db: Queryable, challengeId: string, most: number): Promise<string[]> =>
  list(db, sql`select id from etch where challenge_id = ${challengeId}`, most);

const list = (db: Queryable, which: Sql, most: number) => db.column<string>(sql`${which} limit ${most}`);

/**
 * Reads related rows one by one, so that the plan does not depend on statistics. Sealed text is read after its
 * reveal time.
 */
export async function* readRows(
  db: Queryable,
  ids: readonly string[],
  now: string,
): AsyncGenerator<ScoreRow[], void, undefined> {
  for (let from = 0; from < ids.length; from += PAGE)
    yield await db.query<ScoreRow>(sql`
      select e.id, e.user_id, a.username, e.mode, e.status,
        e.status = 'retracted' and exists (select 1 from erasure r where r.etch_id = e.id and r.taken_down is not null) as taken_down,
        e.description, ${FIRST_LINE} as content,
        case when e.reveal_at <= ${now} then e.sealed end as sealed, e.created_at, e.reveal_at, b.anchored_at,
        e.challenge_id, c.question, c.creator_id, c.reveal_at as closes
      from etch e
      left join lateral (select username from account where id = e.user_id limit 1) a on true
      left join lateral (select * from challenge where id = e.challenge_id limit 1) c on true
      left join lateral (
        select batch.anchored_at from batch_leaf join batch on batch.id = batch_id
        where batch_leaf.kind = 0 and etch_id = e.id limit 1) b on true
      where e.id = any(${ids.slice(from, from + PAGE)}::uuid[])`);
}

export const listNames = (db: Queryable, usernames: readonly string[]) =>
  db.query<{ username: string; display_name: string }>(
    sql`select username, display_name from account where username = any(${usernames}::text[])`,
  );

export const countSealed = (db: Queryable, userId: string, now: string) =>
  db.value<number>(sql`
    select count(*) as sealed from etch where user_id = ${userId} and status = 'sealed' and reveal_at > ${now}`);

export const countErased = (db: Queryable, userIds: readonly string[]) =>
  db.query<{ user_id: string; retracted: number; taken_down: number }>(sql`
    select user_id, count(*) filter (where not by_operator) as retracted, count(*) filter (where by_operator) as taken_down
    from (
      select user_id, exists (select 1 from erasure r where r.etch_id = e.id and r.taken_down is not null) as by_operator
      from etch e where user_id = any(${userIds}::uuid[]) and status = 'retracted') erased
    group by user_id`);

export const findScoredAccount = (db: Queryable, username: string) =>
  db.first<{ user_id: string; username: string }>(
    sql`select id as user_id, username from account where username = ${username}`,
  );

export const findScoredChallenge = (db: Queryable, id: string) =>
  db.first<{ id: string; question: string; creator_id: string; reveal_at: string }>(
    sql`select id, question, creator_id, reveal_at from challenge where id = ${id}`,
  );
