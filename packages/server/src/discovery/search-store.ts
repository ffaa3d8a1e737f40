import sql, { join, type Sql } from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';
import { fold, SEPARATOR } from '../search-index/fold.ts';

export type Status = 'sealed' | 'revealed' | 'retracted';

/** An empty list does not filter. */
export interface EtchFilter {
  needle: Needle | undefined;
  categories: readonly string[];
  statuses: readonly Status[];
  users: readonly string[] | undefined;
}

export interface Stretch {
  offset: number;
  limit: number;
}

export interface Found {
  total: number;
  ids: string[];
}

/** `behind`: the index lacks public texts, so the caller searches again. */
export interface Glance extends Found {
  behind: boolean;
}

export type Order = 'newest' | 'oldest';

export interface Cell {
  category_id: string;
  status: Status;
  count: number;
}

const ALL_STATUSES: readonly Status[] = ['sealed', 'revealed', 'retracted'];

export async function countCells(db: Queryable, filter: EtchFilter): Promise<Cell[]> {
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

export function listCells(db: Queryable, cells: readonly Cell[], order: Order, stretch: Stretch) {
  const parts = cells.map(
    (cell) =>
      sql`(select etch_id, created_at from etch_search where category_id = ${cell.category_id} and status = ${cell.status}
        order by ${by(order)} limit ${stretch.offset + stretch.limit}::bigint)`,
  );
  return db.column<string>(
    sql`select etch_id from (${join(parts, ' union all ')}) s order by ${by(order)} ${cut(stretch)}`,
  );
}

export function listAuthors(db: Queryable, filter: EtchFilter, order: Order, stretch: Stretch) {
  const wanted = [sql`s.user_id = u.user_id`, ...conditions({ ...filter, users: undefined })];
  return db.column<string>(sql`
    select p.etch_id from unnest(${filter.users}::uuid[]) as u (user_id) cross join lateral (
      select etch_id, created_at from etch_search s ${where(wanted)}
      order by ${by(order)} limit ${stretch.offset + stretch.limit}
    ) p order by ${by(order)} ${cut(stretch)}`);
}

/** With more matches, `total` is `most` + 1 and `ids` is meaningless. */
export async function findAmong(
  db: Queryable,
  most: number,
  filter: EtchFilter & { needle: Needle },
  sort: Order | 'best',
  stretch: Stretch,
  behind: Sql = sql`false`,
): Promise<Glance> {
  const isBest = sort === 'best';
  const columns = isBest
    ? sql`etch_id, created_at, ${relevance(filter.needle)} as relevance`
    : sql`etch_id, created_at`;
  const order = isBest ? sql`relevance desc, ${by('newest')}` : by(sort);
  // The statement is planned for all matches, so it uses the trigram index.
  const found = await db.one<{ total: number; ids: string; behind: boolean }>(sql`
    with matching as materialized (select ${columns} from etch_search s ${where(conditions(filter))}),
      few as materialized (select * from matching limit ${most + 1})
    select (select count(*) from few)::integer as total,
      array_to_string(array(select etch_id from few order by ${order} ${cut(stretch)}), ',') as ids, ${behind} as behind`);
  return { ...found, ids: found.ids === '' ? [] : found.ids.split(',') };
}

/** A plain sort by relevance, then time, lets PostgreSQL work in parallel. */
export function listBest(db: Queryable, filter: EtchFilter & { needle: Needle }, stretch: Stretch) {
  return db.column<string>(sql`
    select etch_id from etch_search s ${where(conditions(filter))}
    order by ${relevance(filter.needle)} desc, ${by('newest')} ${cut(stretch)}`);
}

export const countMatching = (db: Queryable, filter: EtchFilter) =>
  db.value<number>(sql`select count(*)::integer as total from etch_search s ${where(conditions(filter))}`);

/**
 * Walks the time index. With `like` the planner would expect almost no match and sort all etches, because it has no
 * samples of texts (acts/scrub/texts.ts); for `strpos` it expects a third.
 */
export function walkRecord(db: Queryable, filter: EtchFilter, order: Order, stretch: Stretch) {
  const { needle } = filter;
  const wanted = [
    ...(needle ? [sql`strpos(s.text, ${needle.folded}) > 0`] : []),
    ...conditions({ ...filter, needle: undefined }),
  ];
  return db.column<string>(
    sql`select etch_id from etch_search s ${where(wanted)} order by ${by(order)} ${cut(stretch)}`,
  );
}

export function gatherMatching(db: Queryable, filter: EtchFilter, order: Order, stretch: Stretch) {
  return db.column<string>(sql`
    with matching as materialized (select etch_id, created_at from etch_search s ${where(conditions(filter))})
    select etch_id from matching order by ${by(order)} ${cut(stretch)}`);
}

/**
 * Scores 100 for a match in the description, plus one per occurrence, at most 99. Folded text is ASCII, so letters
 * are bytes.
 */
export function relevance(needle: Needle): Sql {
  const { folded } = needle;
  return sql`(case when strpos(s.text, ${folded}) < strpos(s.text, ${SEPARATOR}) then 100 else 0 end
    + least(99, (octet_length(s.text) - octet_length(replace(s.text, ${folded}, ''))) / ${folded.length}::integer))`;
}

export function conditions(filter: EtchFilter): Sql[] {
  const { needle, categories, statuses, users } = filter;
  return [
    ...(needle ? [sql`s.text like ${needle.pattern}`] : []),
    ...(needle?.isLong ? [sql`strpos(s.text, ${needle.folded}) > 0`] : []),
    ...(categories.length > 0 ? [sql`s.category_id = any(${categories}::text[])`] : []),
    ...(statuses.length > 0 ? [sql`s.status = any(${statuses}::text[])`] : []),
    ...(users ? [sql`s.user_id = any(${users}::uuid[])`] : []),
  ];
}

export const where = (all: readonly Sql[]): Sql =>
  all.length === 0 ? sql`` : sql`where ${join([...all], ' and ')}`;

const by = (order: Order): Sql =>
  order === 'newest' ? sql`created_at desc, etch_id desc` : sql`created_at, etch_id`;

const cut = ({ offset, limit }: Stretch): Sql => sql`offset ${offset}::bigint limit ${limit}::bigint`;

export interface Needle {
  folded: string;
  /** for LIKE; for a long needle also compare `folded` */
  pattern: string;
  isLong: boolean;
}

const PATTERN_LETTERS = 64;
/** A text has 2,000 characters; lower-casing gives two and folding six letters for each. */
const LONGEST_FOLD = 24_000;

export function toNeedle(q: string): Needle | undefined {
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
