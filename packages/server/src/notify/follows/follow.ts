import { type Etch, isTopicId, isUuid } from '@svc/contract';
import { lockAccount } from '../../accounts/store.ts';
import { type Clock, toTime } from '../../db/clock.ts';
import type { Db, Queryable } from '../../db/db.ts';
import { badField, Failure } from '../../platform/failure.ts';
import type { Caller } from '../../identity/caller.ts';
import {
  countFollows,
  deleteFollow,
  type FollowRow,
  insertFollow,
  listFollowRows,
  listWatchedEtches,
  targetExists,
} from './store.ts';
import { findChallenges } from '../../challenges/store.ts';
import { challengeListItem, isClosed } from '../../challenges/view.ts';
import { findEtches } from '../../etches/store.ts';
import { etchViews, type ViewContext } from '../../etches/view.ts';

/** @throws Failure conflict at `most` targets */
export async function follow(
  { db, clock, most }: { db: Db; clock: Clock; most: number },
  caller: Caller,
  request: FollowRow,
): Promise<FollowRow> {
  const target = readTarget(request);
  if (target.target_type !== 'category' && !(await targetExists(db, target))) {
    throw badField('target_id', `is not the id of any ${target.target_type}`);
  }
  return db.tx(async (tx) => {
    await lockAccount(tx, caller.userId);
    const made = await insertFollow(tx, caller.userId, target, toTime(clock.now()));
    if (made && (await countFollows(tx, caller.userId)) > most)
      throw new Failure('conflict', `an account follows at most ${most} things: unfollow something first`);
    return target;
  });
}

export const unfollow = async (db: Db, caller: Caller, request: FollowRow): Promise<boolean> =>
  deleteFollow(db, caller.userId, readTarget(request));

export async function listFollows(db: Db, caller: Caller) {
  const rows = await listFollowRows(db, caller.userId);
  const ids = (type: FollowRow['target_type']): string[] =>
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

export const listWatching = (db: Db, caller: Caller, now: number, view: ViewContext) =>
  db.tx((tx) => readWatching(tx, caller, now, view), { snapshot: true });

async function readWatching(db: Queryable, caller: Caller, now: number, view: ViewContext) {
  const watched = await listWatchedEtches(db, caller.userId, toTime(now));
  const follows = await listFollowRows(db, caller.userId);
  const ids = (settled: boolean): string[] =>
    watched.filter((etch) => etch.settled === settled).map((etch) => etch.id);
  const hydrate = async (some: readonly string[]): Promise<Etch[]> => {
    const shown: Etch[] = [];
    for (let from = 0; from < some.length; from += AT_ONCE)
      shown.push(...(await etchViews(await findEtches(db, some.slice(from, from + AT_ONCE)), now, view)));
    return shown;
  };
  const [pending, settled] = [ids(false), ids(true)];
  const challengeIds = follows.filter((row) => row.target_type === 'challenge').map((row) => row.target_id);
  const challenges = (await findChallenges(db, challengeIds))
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
