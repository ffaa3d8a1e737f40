import {
  CHALLENGE_SORTS,
  CHALLENGE_STATUSES,
  type ChallengeSort,
  type ChallengeStatus,
  isTopicId,
  PAGE_SIZE,
  type TopicId,
} from '@svc/contract';
import sql, { join, type Sql } from 'sql-template-tag';
import { toTime } from '../db/clock.ts';
import type { Queryable } from '../db/db.ts';
import type { EtchRow } from '../etches/row.ts';
import { queryEtches } from '../etches/store.ts';
import { type ChallengeRow, findChallenges } from './store.ts';

export interface ChallengeFilter {
  status: ChallengeStatus;
  /** empty means all topics */
  categories: readonly string[];
  /** decides which challenges are open */
  now: number;
  /** a condition on the column `id` */
  matching?: Sql;
}

const countChallenges = (db: Queryable, filter: ChallengeFilter) =>
  db.value<number>(sql`select count(*) as total from challenge where ${conditions(filter)}`);

const ORDERS: Record<ChallengeSort, Sql> = {
  soonest: sql`reveal_at, id`,
  newest: sql`created_at desc, id desc`,
  oldest: sql`created_at, id`,
  most: sql`etch_count desc, created_at desc, id desc`,
  least: sql`etch_count, created_at, id`,
};

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
  const table = sort === 'most' || sort === 'least' ? sql`challenge_tally` : sql`challenge`;
  const isLatestFirst = sort === 'soonest' && filter.status === 'closed';
  const order = isLatestFirst ? sql`reveal_at desc, id desc` : ORDERS[sort];
  const ids = await db.column<string>(sql`
    select id from ${table} where ${conditions(filter)} order by ${order} limit ${limit} offset ${offset}`);
  return (await findChallenges(db, ids)).map((row) => row!);
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

export const numberedPage = (number: number, total: number, limit: number) => ({
  number,
  pages: Math.max(1, Math.ceil(total / limit)),
  total,
});

/** A page after the last costs only the count. */
export async function pageOfChallenges(
  db: Queryable,
  filter: ChallengeFilter,
  sort: ChallengeSort,
  page: number,
) {
  const total = await countChallenges(db, filter);
  const offset = (page - 1) * PAGE_SIZE;
  return {
    challenges: offset < total ? await listPageOf(db, filter, sort, offset) : [],
    page: numberedPage(page, total, PAGE_SIZE),
  };
}

export type PageOfChallenges = Awaited<ReturnType<typeof pageOfChallenges>>;

async function listPageOf(db: Queryable, filter: ChallengeFilter, sort: ChallengeSort, offset: number) {
  if (sort !== 'soonest' || filter.status !== 'all') {
    return listChallenges(db, filter, sort, { offset, limit: PAGE_SIZE });
  }
  // Open challenges are ascending, closed ones descending.
  const openFilter = { ...filter, status: 'open' } as const;
  const openCount = await countChallenges(db, openFilter);
  const open =
    offset < openCount ? await listChallenges(db, openFilter, sort, { offset, limit: PAGE_SIZE }) : [];
  if (open.length === PAGE_SIZE) return open;
  const closed = await listChallenges(db, { ...filter, status: 'closed' }, sort, {
    offset: Math.max(0, offset - openCount),
    limit: PAGE_SIZE - open.length,
  });
  return [...open, ...closed];
}

const PAGE = /^[1-9]\d{0,8}$/;

/** Invalid values become the defaults (docs/specification.md#get-challenges). */
export function readChallengeQuery(query: {
  status?: string;
  sort?: string;
  category?: string;
  page?: string;
}) {
  return {
    status: knownWord(CHALLENGE_STATUSES, query.status) ?? 'open',
    sort: knownWord(CHALLENGE_SORTS, query.sort) ?? 'soonest',
    /** empty means all topics */
    categories: knownTopics(query.category),
    page: query.page !== undefined && PAGE.test(query.page) ? Number(query.page) : 1,
  };
}

export function knownWord<Word extends string>(
  words: readonly Word[],
  text: string | undefined,
): Word | undefined {
  return words.find((word) => word === text);
}

export const knownTopics = (text = ''): TopicId[] =>
  [...new Set(text.split(',').map((word) => word.trim()))].filter(isTopicId);

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

/**
 * The challenges of an account that closed last and that no stored resolution decides. Leaves out questions that end
 * without brackets; the text in brackets may still not be a format.
 */
export const listUndecided = (
  db: Queryable,
  { userId, now, most }: { userId: string; now: number; most: number },
) =>
  db.query<{ id: string; question: string }>(sql`
    select c.id, c.question from challenge c
    where c.creator_id = ${userId} and c.reveal_at <= ${toTime(now)} and c.question ~ '\\][ \\t]*$'
      and not exists (select 1 from resolution r where r.target_id = c.id)
    order by c.reveal_at desc, c.id limit ${most}`);

/** Those of the challenges that the account answered. */
export const listAnsweredIds = async (
  db: Queryable,
  userId: string,
  among: readonly string[],
): Promise<string[]> => {
  if (among.length === 0) return [];
  const rows = await db.query<{ id: string }>(sql`
    select challenge_id as id from etch where user_id = ${userId} and challenge_id in (${join(among)})`);
  return rows.map(({ id }) => id);
};

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
export const listAnswerTexts = (
  db: Queryable,
  challengeId: string,
  { now, most }: { now: string; most: number },
) =>
  db.query<AnswerRow>(sql`
    select id, sealed, case when content like 'svc-forecast:%' then left(content, strpos(content || E'\\n', E'\\n'))
      when char_length(content) <= ${SHORT} then content else '' end as content
    from etch where challenge_id = ${challengeId} and status <> 'retracted' and reveal_at <= ${now} limit ${most}`);
