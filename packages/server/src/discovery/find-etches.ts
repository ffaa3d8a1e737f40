// Finds the etches of a search by the cheaper of two plans: gather all matches, or walk the record in order.
import type { Sql } from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';
import type { KnownTotals } from './search-db.ts';
import {
  type CountCell,
  countCells,
  countMatching,
  type EtchFilter,
  findUpTo,
  type SearchHits,
  gatherMatching,
  listAuthors,
  listBest,
  listCells,
  NO_FILTER,
  type SearchTerm,
  type Order,
  type ResultRange,
  walkRecord,
} from './search-store.ts';

const NOTHING: SearchHits = { total: 0, ids: [] };

/** Matches gathered while the total is unknown. */
export const FEW = 5_000;
/** Up to this total, gathering all matches costs less than walking. */
const MANY = 100_000;
/** Cost relative to a match from the index. */
const WALKING = 4;

/** `many`: too many matches; `behind`: the index lacks texts */
export type DirectResult = SearchHits | 'many' | 'behind';

export async function findDirectly(
  db: Queryable,
  filter: EtchFilter & { term: SearchTerm },
  sort: Order | 'best',
  range: ResultRange,
  behind: Sql,
): Promise<DirectResult> {
  const found = await findUpTo(db, FEW, filter, sort, range, behind);
  if (found.behind) return 'behind';
  return found.total > FEW ? 'many' : found;
}

export async function findEtchIds(
  db: Queryable,
  filter: EtchFilter,
  sort: Order | 'best',
  range: ResultRange,
  known: KnownTotals,
  many = false,
): Promise<SearchHits> {
  if (filter.users?.length === 0) return NOTHING;
  const { term } = filter;
  if (!term) return listRecord(db, filter, sort === 'oldest' ? 'oldest' : 'newest', range);
  const question = questionOf({ ...filter, term });
  const guess = known.get(question) ?? (many ? Infinity : undefined);
  const found = await findMatching(db, { ...filter, term }, sort, range, guess);
  if (found.total > FEW) known.set(question, found.total);
  return found;
}

export const questionOf = (filter: EtchFilter): string =>
  JSON.stringify({ ...filter, term: filter.term?.folded, users: filter.users?.length });

/** The stored counts have no other filter. */
const isCounted = (filter: EtchFilter): boolean =>
  questionOf({ ...filter, categories: [], statuses: [], users: undefined }) === questionOf(NO_FILTER);

async function findMatching(
  db: Queryable,
  filter: EtchFilter & { term: SearchTerm },
  sort: Order | 'best',
  range: ResultRange,
  guess: number | undefined,
): Promise<SearchHits> {
  const gather =
    guess === undefined || (guess <= MANY && (sort === 'best' || !(await isShortWalk(db, range, guess))));
  if (gather) {
    const most = guess === undefined ? FEW : MANY * 2;
    const { total, ids } = await findUpTo(db, most, filter, sort, range);
    if (total <= most) return { total, ids };
  }
  const total = await countMatching(db, filter);
  if (range.offset >= total) return { total, ids: [] };
  const ids =
    sort === 'best' ? await listBest(db, filter, range) : await listMany(db, filter, sort, range, total);
  return { total, ids };
}

/** Most totals are stored; a deep page costs at most half the list. */
async function listRecord(
  db: Queryable,
  filter: EtchFilter,
  order: Order,
  range: ResultRange,
): Promise<SearchHits> {
  if (!isCounted(filter)) {
    const total = await countMatching(db, filter);
    return { total, ids: await listMany(db, filter, order, range, total) };
  }
  const cells = await countCells(db, filter);
  const total = sum(cells);
  const ids = await fromNearerEnd(order, range, total, (nearOrder, near) => {
    if (filter.users) return listFollowed(db, filter, nearOrder, near, total);
    const filtered = filter.categories.length > 0 || filter.statuses.length > 0;
    return filtered ? listCells(db, cells, nearOrder, near) : walkRecord(db, filter, nearOrder, near);
  });
  return { total, ids };
}

/** Reads each author's newest etches, or all newest filtered by author, whichever reads less. */
async function listFollowed(
  db: Queryable,
  filter: EtchFilter,
  order: Order,
  range: ResultRange,
  total: number,
) {
  const record = await countRecord(db);
  const reach = range.offset + range.limit;
  const byAuthor = Math.min(total, reach * filter.users!.length);
  const byTime = (reach * record) / total;
  return byTime < byAuthor ? walkRecord(db, filter, order, range) : listAuthors(db, filter, order, range);
}

async function listMany(db: Queryable, filter: EtchFilter, order: Order, range: ResultRange, total: number) {
  return fromNearerEnd(order, range, total, async (nearOrder, near) =>
    (await isShortWalk(db, near, total))
      ? walkRecord(db, filter, nearOrder, near)
      : gatherMatching(db, filter, nearOrder, near),
  );
}

async function isShortWalk(db: Queryable, range: ResultRange, total: number) {
  const walked = ((range.offset + range.limit) * (await countRecord(db))) / total;
  return walked * WALKING < total;
}

const countRecord = async (db: Queryable): Promise<number> => sum(await countCells(db, NO_FILTER));

/** Reads a page in the second half from the other end. */
async function fromNearerEnd(
  order: Order,
  { offset, limit }: ResultRange,
  total: number,
  list: (order: Order, range: ResultRange) => Promise<string[]>,
): Promise<string[]> {
  const size = Math.min(limit, total - offset);
  if (size <= 0) return [];
  const fromEnd = total - offset - size;
  if (fromEnd >= offset) return list(order, { offset, limit: size });
  return (await list(order === 'newest' ? 'oldest' : 'newest', { offset: fromEnd, limit: size })).reverse();
}

const sum = (cells: readonly CountCell[]): number => cells.reduce((total, cell) => total + cell.count, 0);
