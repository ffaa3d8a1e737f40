import sql, { type Sql } from 'sql-template-tag';
import type { Queryable } from '../../db/db.ts';
import type { AuthorColumns } from '../../identity/caller.ts';

export const seenUntil = (db: Queryable, userId: string) =>
  db.value<string | undefined>(sql`select seen_at from inbox_seen where user_id = ${userId}`);

/** Never moves back. */
export const noteSeen = (db: Queryable, userId: string, at: string) =>
  db.query(sql`
    insert into inbox_seen (user_id, seen_at) values (${userId}, ${at})
    on conflict (user_id) do update set seen_at = greatest(inbox_seen.seen_at, excluded.seen_at)`);

export type News = 'opened' | 'closed' | 'late' | 'retracted' | 'resolved';

export interface NewsRow {
  news: News;
  record_id: string;
  own: boolean;
  at: string;
}

const LATE_SECONDS = 3_600;

/**
 * True for late anchoring, and every other event except an answer that opened because its challenge closed: one row
 * says both.
 */
const isNews = (since: Sql): Sql => sql`case v.type
  when 'etch.anchored' then exists (
    select 1 from etch e where e.id = v.record_id and v.at > e.created_at + ${LATE_SECONDS} * interval '1 second')
  when 'etch.revealed' then not exists (
    select 1 from etch e join event c on c.record_id = e.challenge_id and c.user_id = v.user_id
    where e.id = v.record_id and c.type = 'challenge.closed' and c.noted_at > ${since})
  else true end`;

export const listOwnNews = (
  db: Queryable,
  userId: string,
  { since, limit }: { since: string; limit: number },
) =>
  db.query<NewsRow>(sql`
    select case v.type when 'etch.revealed' then 'opened' when 'etch.retracted' then 'retracted'
        when 'challenge.closed' then 'closed' when 'challenge.resolved' then 'resolved' when 'etch.resolved' then 'resolved' else 'late' end as news, v.record_id, true as own, v.at
    from event v
    where v.user_id = ${userId} and v.noted_at > ${since} and ${isNews(sql`${since}`)}
    order by v.position desc limit ${limit}`);

/** An answer that opened because its challenge closed is left out if the challenge has a row: one row says both. */
const followedEtches = (userId: string, since: Sql, now: string): Sql => sql`
  from follow f join etch e on e.id = f.target_id::uuid
  where f.user_id = ${userId} and f.target_type = 'etch' and e.user_id <> ${userId}
    and coalesce(e.retracted_at, e.reveal_at) > ${since} and coalesce(e.retracted_at, e.reveal_at) <= ${now}
    and (e.status = 'retracted' or e.challenge_id is null or not (
      exists (select 1 from follow w where w.user_id = ${userId} and w.target_type = 'challenge' and w.target_id = e.challenge_id::text)
      or exists (select 1 from event v where v.user_id = ${userId} and v.record_id = e.challenge_id and v.type = 'challenge.closed')))`;

const followedChallenges = (userId: string, since: Sql, now: string): Sql => sql`
  from follow f join challenge c on c.id = f.target_id::uuid
  where f.user_id = ${userId} and f.target_type = 'challenge' and c.reveal_at > ${since} and c.reveal_at <= ${now}
    and not exists (select 1 from event v where v.user_id = ${userId} and v.record_id = c.id and v.type = 'challenge.closed')`;

export async function listFollowedNews(
  db: Queryable,
  userId: string,
  { since, now, limit }: { since: string; now: string; limit: number },
): Promise<NewsRow[]> {
  const after = sql`${since}`;
  return db.query<NewsRow>(sql`
    select * from (
      select case when e.status = 'retracted' then 'retracted' else 'opened' end as news, e.id as record_id, false as own,
        coalesce(e.retracted_at, e.reveal_at) as at
      ${followedEtches(userId, after, now)}
      union all
      select 'closed', c.id, false, c.reveal_at ${followedChallenges(userId, after, now)}
    ) n order by at desc limit ${limit}`);
}

const LOOKED_THROUGH = 300;

const LOOK = sql`(select since from look)`;

/** Counts few events, because every page of a signed-in person runs it. */
export const countNews = (
  db: Queryable,
  userId: string,
  { firstLook, now, most }: { firstLook: string; now: string; most: number },
) =>
  db.value<number>(sql`
    with look as materialized (
      select coalesce((select seen_at from inbox_seen where user_id = ${userId}), ${firstLook}::timestamptz) as since
    )
    select least(${most}::integer, (
      select count(*) from (
        select 1 from (
          select user_id, type, record_id, at, noted_at from event where user_id = ${userId}
          order by position desc limit ${LOOKED_THROUGH}
        ) v, look
        where v.noted_at > look.since and ${isNews(sql`look.since`)}
        limit ${most}) own
    ) + (
      select count(*) from (
        select 1 ${followedEtches(userId, LOOK, now)} limit ${most}) followed
    ) + (
      select count(*) from (
        select 1 ${followedChallenges(userId, LOOK, now)} limit ${most}) closed
    ) + (
      select count(*) from (
        select 1 from look, follow f
        where f.target_type = 'user' and f.target_id = ${userId} and f.user_id <> ${userId} and f.created_at > look.since
        limit 1) followers
    ))::integer as count`);

/** Counts only: the names of followers stay private. */
export const countNewFollowers = (db: Queryable, userId: string, since: string) =>
  db.value<number>(sql`
    select count(*)::integer as count from follow
    where target_type = 'user' and target_id = ${userId} and user_id <> ${userId} and created_at > ${since}`);

export type FollowedAccount = Pick<AuthorColumns, 'username' | 'display_name' | 'kind'> & { user_id: string };

export const listFollowedAccounts = (db: Queryable, userId: string, limit: number) =>
  db.query<FollowedAccount>(sql`
    select a.id as user_id, a.username, a.display_name, a.kind
    from follow f join account a on a.id = f.target_id::uuid
    where f.user_id = ${userId} and f.target_type = 'user' order by f.created_at desc, a.id limit ${limit}`);
