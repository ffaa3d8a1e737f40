import type { Sql } from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';
import type { KnownTotals } from './search-db.ts';
import {
  type Cell,
  countCells,
  countMatching,
  type EtchFilter,
  findAmong,
  type Found,
  gatherMatching,
  listAuthors,
  listBest,
  listCells,
  type Needle,
  type Order,
  type Stretch,
  walkRecord,
} from './search-store.ts';

const NOTHING: Found = { total: 0, ids: [] };

/** Matches gathered while the total is unknown. */
export const FEW = 5_000;
/** Up to this total, gathering all matches costs less than walking. */
const MANY = 100_000;
/** Cost relative to a match from the index. */
const WALKING = 4;

/** `many`: too many matches; `behind`: the index lacks texts */
export type AtOnce = Found | 'many' | 'behind';

export async function findAtOnce(
  db: Queryable,
  filter: EtchFilter & { needle: Needle },
  sort: Order | 'best',
  stretch: Stretch,
  behind: Sql,
): Promise<AtOnce> {
  const found = await findAmong(db, FEW, filter, sort, stretch, behind);
  if (found.behind) return 'behind';
  return found.total > FEW ? 'many' : found;
}

export async function findEtchIds(
  db: Queryable,
  filter: EtchFilter,
  sort: Order | 'best',
  stretch: Stretch,
  known: KnownTotals,
  many = false,
): Promise<Found> {
  if (filter.users?.length === 0) return NOTHING;
  const { needle } = filter;
  if (!needle) return listRecord(db, filter, sort === 'oldest' ? 'oldest' : 'newest', stretch);
  const question = questionOf({ ...filter, needle });
  const guess = known.get(question) ?? (many ? Infinity : undefined);
  const found = await findMatching(db, { ...filter, needle }, sort, stretch, guess);
  if (found.total > FEW) known.set(question, found.total);
  return found;
}

export function questionOf({ needle, categories, statuses, users }: EtchFilter & { needle: Needle }): string {
  return JSON.stringify([needle.folded, categories, statuses, users?.length]);
}

async function findMatching(
  db: Queryable,
  filter: EtchFilter & { needle: Needle },
  sort: Order | 'best',
  stretch: Stretch,
  guess: number | undefined,
): Promise<Found> {
  const gather =
    guess === undefined ||
    (guess <= MANY && (sort === 'best' || !(await isShortWalk(db, filter, stretch, guess))));
  if (gather) {
    const most = guess === undefined ? FEW : MANY * 2;
    const { total, ids } = await findAmong(db, most, filter, sort, stretch);
    if (total <= most) return { total, ids };
  }
  const total = await countMatching(db, filter);
  if (stretch.offset >= total) return { total, ids: [] };
  const ids =
    sort === 'best' ? await listBest(db, filter, stretch) : await listMany(db, filter, sort, stretch, total);
  return { total, ids };
}

/** Totals are stored; a deep page costs at most half the list. */
async function listRecord(db: Queryable, filter: EtchFilter, order: Order, stretch: Stretch): Promise<Found> {
  const cells = await countCells(db, filter);
  const total = sum(cells);
  const ids = await fromNearerEnd(order, stretch, total, (nearOrder, near) => {
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
  stretch: Stretch,
  total: number,
) {
  const record = await countRecord(db, filter);
  const reach = stretch.offset + stretch.limit;
  const byAuthor = Math.min(total, reach * filter.users!.length);
  const byTime = (reach * record) / total;
  return byTime < byAuthor ? walkRecord(db, filter, order, stretch) : listAuthors(db, filter, order, stretch);
}

async function listMany(db: Queryable, filter: EtchFilter, order: Order, stretch: Stretch, total: number) {
  return fromNearerEnd(order, stretch, total, async (nearOrder, near) =>
    (await isShortWalk(db, filter, near, total))
      ? walkRecord(db, filter, nearOrder, near)
      : gatherMatching(db, filter, nearOrder, near),
  );
}

async function isShortWalk(db: Queryable, filter: EtchFilter, stretch: Stretch, total: number) {
  const walked = ((stretch.offset + stretch.limit) * (await countRecord(db, filter))) / total;
  return walked * WALKING < total;
}

const countRecord = async (db: Queryable, filter: EtchFilter): Promise<number> =>
  sum(await countCells(db, { ...filter, users: undefined, categories: [], statuses: [] }));

/** Reads a page in the second half from the other end. */
async function fromNearerEnd(
  order: Order,
  { offset, limit }: Stretch,
  total: number,
  list: (order: Order, stretch: Stretch) => Promise<string[]>,
): Promise<string[]> {
  const size = Math.min(limit, total - offset);
  if (size <= 0) return [];
  const fromEnd = total - offset - size;
  if (fromEnd >= offset) return list(order, { offset, limit: size });
  return (await list(order === 'newest' ? 'oldest' : 'newest', { offset: fromEnd, limit: size })).reverse();
}

const sum = (cells: readonly Cell[]): number => cells.reduce((total, cell) => total + cell.count, 0);
