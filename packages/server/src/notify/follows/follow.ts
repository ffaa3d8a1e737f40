import { isTopicId, isUuid } from '@svc/contract';
import { lockAccount } from '../../accounts/store.ts';
import { type Clock, toTime } from '../../db/clock.ts';
import type { Db } from '../../db/db.ts';
import { badField, Failure } from '../../platform/failure.ts';
import type { Caller } from '../../identity/caller.ts';
import {
  countFollows,
  deleteFollow,
  type FollowRow,
  insertFollow,
  listFollowRows,
  targetExists,
} from './store.ts';

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

export async function unfollow(db: Db, caller: Caller, request: FollowRow): Promise<boolean> {
  return deleteFollow(db, caller.userId, readTarget(request));
}

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
