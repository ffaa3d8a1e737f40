import sql from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';
import type { EtchRow } from '../etches/row.ts';
import { queryEtches } from '../etches/store.ts';

/** `soonest` is oldest first (docs/specification.md#get-challengesid). */
export type EntrySort = 'newest' | 'soonest';

/** The position of an entry is hidden while entries are sealed. */
export interface EntryPlace {
  createdAt: string;
  id: string;
}

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

export const findOwnEntry = (db: Queryable, challengeId: string, userId: string) =>
  db.first<{ id: string; retracted: boolean }>(sql`
    select id, status = 'retracted' as retracted from etch
    where challenge_id = ${challengeId} and user_id = ${userId}`);

/** `content` is the first line of a forecast, or a short text. */
interface AnswerRow {
  id: string;
  sealed: Buffer | null;
  content: string | null;
}

/** The longest text of a number, in characters. */
const SHORT = 100;

/** Rows of due entries may still be encrypted. */
export const listSaid = (db: Queryable, challengeId: string, { now, most }: { now: string; most: number }) =>
  db.query<AnswerRow>(sql`
    select id, sealed, case when content like 'svc-forecast:%' then left(content, strpos(content || E'\\n', E'\\n'))
      when char_length(content) <= ${SHORT} then content else '' end as content
    from etch where challenge_id = ${challengeId} and status <> 'retracted' and reveal_at <= ${now} limit ${most}`);
