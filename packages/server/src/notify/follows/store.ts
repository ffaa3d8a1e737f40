import { type Etch, type FollowTarget, isTopicId, isUuid, type Watching } from '@svc/contract';
import sql, { raw } from 'sql-template-tag';
import { lockAccount } from '../../accounts/store.ts';
import { findChallenges } from '../../challenges/store.ts';
import { challengeListItem, isClosed } from '../../challenges/view.ts';
import { type Clock, toTime } from '../../db/clock.ts';
import type { Db, Queryable } from '../../db/db.ts';
import { findEtches } from '../../etches/store.ts';
import { etchViews, type ViewContext } from '../../etches/view.ts';
import type { Caller } from '../../identity/caller.ts';
import { badField, Failure } from '../../platform/failure.ts';

interface FollowRow {
  target_type: FollowTarget;
  target_id: string;
}

const TABLES = { user: raw('account'), challenge: raw('challenge'), etch: raw('etch') };

/** @throws Failure conflict at `most` targets */
export async function follow(
  { db, clock, most }: { db: Db; clock: Clock; most: number },
  { userId }: Caller,
  request: FollowRow,
): Promise<FollowRow> {
  const target = readTarget(request);
  const { target_type: type, target_id: id } = target;
  if (type !== 'category' && !(await db.hasRows(sql`select 1 from ${TABLES[type]} where id = ${id}`)))
    throw badField('target_id', `is not the id of any ${type}`);
  return db.tx(async (tx) => {
    await lockAccount(tx, userId);
    const made = await tx.hasRows(sql`
      insert into follow (user_id, target_type, target_id, created_at)
      values (${userId}, ${type}, ${id}, ${toTime(clock.now())}) on conflict do nothing returning 1`);
    const count = sql`select count(*) from follow where user_id = ${userId}`;
    if (made && (await tx.value<number>(count)) > most)
      throw new Failure('conflict', `an account follows at most ${most} things: unfollow something first`);
    return target;
  });
}

const isThisFollow = (userId: string, { target_type: type, target_id: id }: FollowRow) =>
  sql`user_id = ${userId} and target_type = ${type} and target_id = ${id}`;

export const unfollow = async (db: Db, { userId }: Caller, request: FollowRow): Promise<boolean> =>
  db.hasRows(sql`delete from follow where ${isThisFollow(userId, readTarget(request))} returning 1`);

export const isFollowed = (db: Queryable, userId: string, follow: FollowRow) =>
  db.hasRows(sql`select 1 from follow where ${isThisFollow(userId, follow)}`);

export async function listFollows(db: Queryable, { userId }: Pick<Caller, 'userId'>) {
  const rows = await db.query<FollowRow>(sql`
    select target_type, target_id from follow where user_id = ${userId} order by created_at, target_id`);
  const ids = (type: FollowTarget): string[] =>
    rows.filter((row) => row.target_type === type).map((row) => row.target_id);
  return {
    users: ids('user'),
    categories: ids('category'),
    challenges: ids('challenge'),
    etches: ids('etch'),
    count: rows.length,
  };
}

function readTarget({ target_type: type, target_id: id }: FollowRow): FollowRow {
  if (type === 'category') {
    if (!isTopicId(id)) throw badField('target_id', 'must be a topic id');
    return { target_type: type, target_id: id };
  }
  if (!isUuid(id)) throw badField('target_id', `must be the id of a ${type}, a UUID`);
  return { target_type: type, target_id: id.toLowerCase() };
}

/** Limit per group; the counts cover all. */
const WATCHED_AT_MOST = 200;
/** Texts may be long. */
const AT_ONCE = 50;

export const listWatching = (db: Db, caller: Caller, now: number, view: ViewContext): Promise<Watching> =>
  db.tx((tx) => readWatching(tx, caller, now, view), { snapshot: true });

async function readWatching(
  db: Queryable,
  { userId }: Caller,
  now: number,
  view: ViewContext,
): Promise<Watching> {
  // Sealed etches come first, each group by its time.
  const watched = await db.query<{ id: string; settled: boolean }>(sql`
    select e.id, not (e.status = 'sealed' and e.reveal_at > ${toTime(now)}) as settled
    from follow f join etch e on e.id = f.target_id::uuid
    where f.user_id = ${userId} and f.target_type = 'etch'
    order by settled, coalesce(e.retracted_at, e.reveal_at, e.created_at), e.id`);
  const follows = await listFollows(db, { userId });
  const ids = (settled: boolean): string[] =>
    watched.filter((etch) => etch.settled === settled).map((etch) => etch.id);
  const hydrate = async (some: readonly string[]): Promise<Etch[]> => {
    const shown: Etch[] = [];
    for (let from = 0; from < some.length; from += AT_ONCE)
      shown.push(...(await etchViews(await findEtches(db, some.slice(from, from + AT_ONCE)), now, view)));
    return shown;
  };
  const [pending, settled] = [ids(false), ids(true)];
  const challenges = (await findChallenges(db, follows.challenges))
    .flatMap((row) => (row ? [row] : []))
    .sort((a, b) => (a.reveal_at < b.reveal_at ? -1 : a.reveal_at > b.reveal_at ? 1 : a.id < b.id ? -1 : 1));
  const open = challenges.filter((row) => !isClosed(row, now)).slice(0, WATCHED_AT_MOST);
  const closed = challenges.filter((row) => isClosed(row, now));
  const shown = [...closed.slice(Math.max(0, closed.length - (WATCHED_AT_MOST - open.length))), ...open];
  return {
    pending: await hydrate(pending.slice(0, WATCHED_AT_MOST)),
    settled: await hydrate(settled.slice(-WATCHED_AT_MOST)),
    challenges: shown.map((row) => challengeListItem(row, now, view)),
    counts: { pending: pending.length, settled: settled.length, challenges: challenges.length },
  };
}
