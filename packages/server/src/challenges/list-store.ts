import type { ChallengeSort, ChallengeStatus } from '@svc/contract';
import sql, { join, type Sql } from 'sql-template-tag';
import { toTime } from '../db/clock.ts';
import type { Queryable } from '../db/db.ts';
import { type ChallengeRow, findChallenges } from './store.ts';
import type { EtchRow } from '../etches/row.ts';
import { queryEtches } from '../etches/store.ts';

export interface ChallengeFilter {
  status: ChallengeStatus;
  /** empty means all topics */
  categories: readonly string[];
  /** decides which challenges are open */
  now: number;
  /** a condition on the column `id` */
  matching?: Sql;
}

export const countChallenges = (db: Queryable, filter: ChallengeFilter) =>
  db.value<number>(sql`select count(*) as total from challenge where ${conditions(filter)}`);

/**
 * `soonest` requires open or closed challenges. Ids come from an index (migration 000003), so a deep page reads only
 * its rows.
 */
export async function listChallenges(
  db: Queryable,
  filter: ChallengeFilter,
  sort: ChallengeSort,
  { offset, limit }: { offset: number; limit: number },
): Promise<ChallengeRow[]> {
  const chosen = await db.query<{ id: string }>(sql`
    select id from ${sort === 'most' || sort === 'least' ? sql`challenge_tally` : sql`challenge`}
    where ${conditions(filter)} order by ${order(sort, filter.status)} limit ${limit} offset ${offset}`);
  const rows = await findChallenges(
    db,
    chosen.map(({ id }) => id),
  );
  return rows.map((row) => row!);
}

function conditions({ status, categories, now, matching }: ChallengeFilter): Sql {
  const at = toTime(now);
  const all: Sql[] = [];
  if (status === 'open') all.push(sql`reveal_at > ${at}`);
  if (status === 'closed') all.push(sql`reveal_at <= ${at}`);
  // `=` lets the index give the order too.
  if (categories.length === 1) all.push(sql`category_id = ${categories[0]}`);
  if (categories.length > 1) all.push(sql`category_id = any(${categories}::text[])`);
  if (matching) all.push(matching);
  return all.length > 0 ? join(all, ' and ') : sql`true`;
}

function order(sort: ChallengeSort, status: ChallengeStatus): Sql {
  switch (sort) {
    case 'soonest':
      return status === 'closed' ? sql`reveal_at desc, id desc` : sql`reveal_at, id`;
    case 'newest':
      return sql`created_at desc, id desc`;
    case 'oldest':
      return sql`created_at, id`;
    case 'most':
      return sql`etch_count desc, created_at desc, id desc`;
    case 'least':
      return sql`etch_count, created_at, id`;
  }
}

/** `soonest` is oldest first (docs/specification.md#get-challengesid). */
type EntrySort = 'newest' | 'soonest';

/** The position of an entry is hidden while entries are sealed. */
interface EntryPlace {
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
