import type { FollowTarget } from '@svc/contract';
import sql from 'sql-template-tag';
import type { Queryable } from '../../db/db.ts';

export interface FollowRow {
  target_type: FollowTarget;
  target_id: string;
}

export const insertFollow = (db: Queryable, userId: string, follow: FollowRow, at: string) =>
  db.hasRows(sql`
    insert into follow (user_id, target_type, target_id, created_at)
    values (${userId}, ${follow.target_type}, ${follow.target_id}, ${at}) on conflict do nothing returning target_id`);

export const countFollows = (db: Queryable, userId: string) =>
  db.value<number>(sql`select count(*) as count from follow where user_id = ${userId}`);

export const deleteFollow = (db: Queryable, userId: string, follow: FollowRow) =>
  db.hasRows(sql`
    delete from follow where user_id = ${userId} and target_type = ${follow.target_type}
      and target_id = ${follow.target_id} returning target_id`);

export const isFollowed = (db: Queryable, userId: string, follow: FollowRow) =>
  db.hasRows(sql`
    select 1 from follow where user_id = ${userId} and target_type = ${follow.target_type}
      and target_id = ${follow.target_id}`);

export const listFollowRows = (db: Queryable, userId: string) =>
  db.query<FollowRow>(sql`
    select target_type, target_id from follow where user_id = ${userId} order by created_at, target_id`);

export async function targetExists(db: Queryable, { target_type: type, target_id: id }: FollowRow) {
  const found =
    type === 'user'
      ? sql`select 1 from account where id = ${id}`
      : type === 'challenge'
        ? sql`select 1 from challenge where id = ${id}`
        : sql`select 1 from etch where id = ${id}`;
  return db.hasRows(found);
}

/** Lists sealed etches first, each group by its time. */
export const listWatchedEtches = (db: Queryable, userId: string, now: string) =>
  db.query<{ id: string; settled: boolean }>(sql`
    select e.id, not (e.status = 'sealed' and e.reveal_at > ${now}) as settled
    from follow f join etch e on e.id = f.target_id::uuid
    where f.user_id = ${userId} and f.target_type = 'etch'
    order by settled, coalesce(e.retracted_at, e.reveal_at, e.created_at), e.id`);
