import sql, { join, type Sql } from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';
import { fold, SEPARATOR } from '../search-index/fold.ts';

export type Status = 'sealed' | 'revealed' | 'retracted';

/** An empty list does not filter. */
export interface EtchFilter {
  term: SearchTerm | undefined;
  categories: readonly string[];
  statuses: readonly Status[];
  users: readonly string[] | undefined;
}

export const NO_FILTER: EtchFilter = { term: undefined, categories: [], statuses: [], users: undefined };

export interface ResultRange {
  offset: number;
  limit: number;
}

export interface SearchHits {
  total: number;
  ids: string[];
}

/** `behind`: the index lacks public texts, so the caller searches again. */
export interface IndexedHits extends SearchHits {
  behind: boolean;
}

export type Order = 'newest' | 'oldest';

export interface CountCell {
  category_id: string;
  status: Status;
  count: number;
}

const ALL_STATUSES: readonly Status[] = ['sealed', 'revealed', 'retracted'];

export async function countCells(db: Queryable, filter: EtchFilter): Promise<CountCell[]> {
  const statuses = filter.statuses.length > 0 ? filter.statuses : ALL_STATUSES;
  const source = filter.users
    ? sql`(select category_id, sum(sealed) as sealed, sum(revealed) as revealed, sum(retracted) as retracted
           from account_count where user_id = any(${filter.users}::uuid[]) and category_id <> '*' group by category_id)`
    : sql`topic_count`;
  const rows = await db.query<{ category_id: string } & Record<Status, number>>(
    sql`select category_id, sealed::integer, revealed::integer, retracted::integer from ${source} c`,
  );
  return rows
    .filter((row) => filter.categories.length === 0 || filter.categories.includes(row.category_id))
    .flatMap((row) =>
      statuses.map((status) => ({ category_id: row.category_id, status, count: row[status] })),
    )
    .filter((cell) => cell.count > 0);
}

export const findFollowedAccounts = (db: Queryable, callerId: string) =>
  db.column<string>(sql`select target_id from follow where user_id = ${callerId} and target_type = 'user'`);

export function listCells(db: Queryable, cells: readonly CountCell[], order: Order, range: ResultRange) {
  const parts = cells.map(
    (cell) =>
      sql`(select etch_id, created_at from etch_search where category_id = ${cell.category_id} and status = ${cell.status}
        order by ${orderBy(order)} limit ${range.offset + range.limit}::bigint)`,
  );
  return db.column<string>(
    sql`select etch_id from (${join(parts, ' union all ')}) s order by ${orderBy(order)} ${limitSql(range)}`,
  );
}

export function listAuthors(db: Queryable, filter: EtchFilter, order: Order, range: ResultRange) {
  const wanted = [sql`s.user_id = u.user_id`, ...conditions({ ...filter, users: undefined })];
  return db.column<string>(sql`
    select p.etch_id from unnest(${filter.users}::uuid[]) as u (user_id) cross join lateral (
      select etch_id, created_at from etch_search s ${whereSql(wanted)}
      order by ${orderBy(order)} limit ${range.offset + range.limit}
    ) p order by ${orderBy(order)} ${limitSql(range)}`);
}

/** With more matches, `total` is `most` + 1 and `ids` is meaningless. */
export async function findUpTo(
  db: Queryable,
  most: number,
  filter: EtchFilter & { term: SearchTerm },
  sort: Order | 'best',
  range: ResultRange,
  behind: Sql = sql`false`,
): Promise<IndexedHits> {
  const isBest = sort === 'best';
  const columns = isBest
    ? sql`etch_id, created_at, ${relevance(filter.term)} as relevance`
    : sql`etch_id, created_at`;
  const order = isBest ? sql`relevance desc, ${orderBy('newest')}` : orderBy(sort);
  // The statement is planned for all matches, so it uses the trigram index.
  const found = await db.one<{ total: number; ids: string; behind: boolean }>(sql`
    with matching as materialized (select ${columns} from etch_search s ${whereSql(conditions(filter))}),
      few as materialized (select * from matching limit ${most + 1})
    select (select count(*) from few)::integer as total,
      array_to_string(array(select etch_id from few order by ${order} ${limitSql(range)}), ',') as ids, ${behind} as behind`);
  return { ...found, ids: found.ids === '' ? [] : found.ids.split(',') };
}

/** A plain sort by relevance, then time, lets PostgreSQL work in parallel. */
export function listBest(db: Queryable, filter: EtchFilter & { term: SearchTerm }, range: ResultRange) {
  return db.column<string>(sql`
    select etch_id from etch_search s ${whereSql(conditions(filter))}
    order by ${relevance(filter.term)} desc, ${orderBy('newest')} ${limitSql(range)}`);
}

export const countMatching = (db: Queryable, filter: EtchFilter) =>
  db.value<number>(sql`select count(*)::integer as total from etch_search s ${whereSql(conditions(filter))}`);

/**
 * Walks the time index. With `like` the planner would expect almost no match and sort all etches, because it has no
 * samples of texts (acts/scrub/texts.ts); for `strpos` it expects a third.
 */
export function walkRecord(db: Queryable, filter: EtchFilter, order: Order, range: ResultRange) {
  const { term } = filter;
  const wanted = [
    ...(term ? [sql`strpos(s.text, ${term.folded}) > 0`] : []),
    ...conditions({ ...filter, term: undefined }),
  ];
  return db.column<string>(
    sql`select etch_id from etch_search s ${whereSql(wanted)} order by ${orderBy(order)} ${limitSql(range)}`,
  );
}

export function gatherMatching(db: Queryable, filter: EtchFilter, order: Order, range: ResultRange) {
  return db.column<string>(sql`
    with matching as materialized (select etch_id, created_at from etch_search s ${whereSql(conditions(filter))})
    select etch_id from matching order by ${orderBy(order)} ${limitSql(range)}`);
}

/**
 * Scores 100 for a match in the description, plus one per occurrence, at most 99. Folded text is ASCII, so letters
 * are bytes.
 */
export function relevance(term: SearchTerm): Sql {
  const { folded } = term;
  return sql`(case when strpos(s.text, ${folded}) < strpos(s.text, ${SEPARATOR}) then 100 else 0 end
    + least(99, (octet_length(s.text) - octet_length(replace(s.text, ${folded}, ''))) / ${folded.length}::integer))`;
}

export function conditions(filter: EtchFilter): Sql[] {
  const { term, categories, statuses, users } = filter;
  return [
    ...(term ? [sql`s.text like ${term.pattern}`] : []),
    ...(term?.isLong ? [sql`strpos(s.text, ${term.folded}) > 0`] : []),
    ...(categories.length > 0 ? [sql`s.category_id = any(${categories}::text[])`] : []),
    ...(statuses.length > 0 ? [sql`s.status = any(${statuses}::text[])`] : []),
    ...(users ? [sql`s.user_id = any(${users}::uuid[])`] : []),
  ];
}

export const whereSql = (all: readonly Sql[]): Sql =>
  all.length === 0 ? sql`` : sql`where ${join([...all], ' and ')}`;

const orderBy = (order: Order): Sql =>
  order === 'newest' ? sql`created_at desc, etch_id desc` : sql`created_at, etch_id`;

const limitSql = ({ offset, limit }: ResultRange): Sql =>
  sql`offset ${offset}::bigint limit ${limit}::bigint`;

export interface SearchTerm {
  folded: string;
  /** for LIKE; for a long one also compare `folded` */
  pattern: string;
  isLong: boolean;
}

const PATTERN_LETTERS = 64;
/** A text has 2,000 characters; lower-casing gives two and folding six letters for each. */
const LONGEST_FOLD = 24_000;

export function toSearchTerm(q: string): SearchTerm | undefined {
  if (q.length > LONGEST_FOLD) return undefined;
  const folded = fold(q);
  if (folded.length > LONGEST_FOLD) return undefined;
  const isLong = folded.length > PATTERN_LETTERS;
  return { folded, pattern: `%${isLong ? folded.slice(0, PATTERN_LETTERS) : folded}%`, isLong };
}

/** Ignores a leading `@` unless it is the whole query. */
export function withoutAt(q: string | undefined): string | null {
  if (q === undefined || q === '') return null;
  return q.length > 1 && q.startsWith('@') ? q.slice(1) : q;
}
