import sql from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';
import type { EtchRow } from '../etches/row.ts';
import { queryEtches } from '../etches/store.ts';

/**
 * `soonest`: all of a challenge's etches are revealed at once, so the oldest come first
 * (docs/specification.md#get-challengesid).
 */
export type EntrySort = 'newest' | 'soonest';

/** Where a page of entries ended. Holds a time that is hidden while they are sealed. */
export interface EntryPlace {
  createdAt: string;
  id: string;
}

/** The etches of a challenge, retracted ones too. */
export async function listEntries(
  db: Queryable,
  challengeId: string,
  {
    sort,
    limit,
    after,
    standingOnly = false,
  }: { sort: EntrySort; limit: number; after?: EntryPlace; standingOnly?: boolean },
): Promise<EtchRow[]> {
  const place = after && sql`(${after.createdAt}::timestamptz, ${after.id}::uuid)`;
  const beyond = !place
    ? sql`true`
    : sort === 'newest'
      ? sql`(e.created_at, e.id) < ${place}`
      : sql`(e.created_at, e.id) > ${place}`;
  const order = sort === 'newest' ? sql`e.created_at desc, e.id desc` : sql`e.created_at, e.id`;
  return queryEtches(
    db,
    sql`where e.challenge_id = ${challengeId} and ${beyond}
      and ${standingOnly ? sql`e.status <> 'retracted'` : sql`true`} order by ${order} limit ${limit}`,
  );
}

/** What this account answered, retracted or not. */
export async function findOwnEntry(
  db: Queryable,
  challengeId: string,
  userId: string,
): Promise<{ id: string; retracted: boolean } | undefined> {
  const [row] = await db.query<{ id: string; retracted: boolean }>(sql`
    select id, status = 'retracted' as retracted from etch
    where challenge_id = ${challengeId} and user_id = ${userId}`);
  return row;
}

/** An answer as far as it can say a number: a forecast's first line, or a short text. */
interface AnswerRow {
  id: string;
  sealed: Buffer | null;
  content: string | null;
}

/** More than any number takes. */
const SHORT = 100;

/** Public answers, the rows of which may still be sealed; at most so many. */
export async function listSaid(
  db: Queryable,
  challengeId: string,
  { now, most }: { now: string; most: number },
): Promise<AnswerRow[]> {
  return db.query<AnswerRow>(sql`
    select id, sealed, case when content like 'svc-forecast:%' then left(content, strpos(content || E'\\n', E'\\n'))
      when char_length(content) <= ${SHORT} then content else '' end as content
    from etch where challenge_id = ${challengeId} and status <> 'retracted' and reveal_at <= ${now} limit ${most}`);
}
