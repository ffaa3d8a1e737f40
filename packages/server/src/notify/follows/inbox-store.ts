import type { EventType } from '@svc/contract';
import sql, { join, type Sql } from 'sql-template-tag';
import { toTime } from '../../db/clock.ts';
import type { Db, Queryable } from '../../db/db.ts';
import type { ViewContext } from '../../etches/view.ts';
import type { AuthorColumns, Caller } from '../../identity/caller.ts';
import { type EventSubject, readEventSubjects } from '../event-subjects.ts';

const MOST = 100;
const FIRST_LOOK_MS = 7 * 86_400_000;

type News = 'opened' | 'closed' | 'late' | 'retracted' | 'resolved';

interface InboxItem extends EventSubject {
  news: News;
  own: boolean;
  at: string;
}

interface Inbox {
  since: string;
  /** the account never marked its inbox as read */
  isFirst: boolean;
  /** marking it as seen starts the next inbox here */
  asOf: string;
  items: InboxItem[];
  more: boolean;
  followers: number;
}

export async function lastLook(db: Queryable, userId: string, now: number) {
  const seen = sql`select seen_at from inbox_seen where user_id = ${userId}`;
  const lookedAt = (await db.value<string | undefined>(seen)) ?? null;
  return { since: lookedAt ?? toTime(now - FIRST_LOOK_MS), lookedAt };
}

/** Never moves back. @param asOf of the seen inbox; a future time counts as now */
export async function seeInbox(db: Db, { userId }: Caller, asOf: number, now: number): Promise<void> {
  await db.query(sql`
    insert into inbox_seen (user_id, seen_at) values (${userId}, ${toTime(Math.min(asOf, now))})
    on conflict (user_id) do update set seen_at = greatest(inbox_seen.seen_at, excluded.seen_at)`);
}

export const readInbox = (db: Db, caller: Caller, now: number, view: ViewContext): Promise<Inbox> =>
  db.tx((tx) => read(tx, caller, now, view), { snapshot: true });

async function read(db: Queryable, { userId }: Caller, now: number, view: ViewContext): Promise<Inbox> {
  const { since, lookedAt } = await lastLook(db, userId, now);
  const asOf = toTime(now);
  const own = await listOwnNews(db, userId, since);
  const followed = await listFollowedNews(db, userId, { since, now: asOf });
  const all = [...own, ...followed].sort(newestFirst);
  const found = await readEventSubjects(db, all.slice(0, MOST), kindOf, now, view);
  // Counts only: the names of followers stay private.
  const followers = await db.value<number>(sql`
    select count(*)::integer as count from follow
    where target_type = 'user' and target_id = ${userId} and user_id <> ${userId} and created_at > ${since}`);
  const items = found.map(({ row: { news, own, at }, subject }) => ({ news, own, at, ...subject }));
  return { since, isFirst: lookedAt === null, asOf, items, more: all.length > MOST, followers };
}

const newestFirst = (a: NewsRow, b: NewsRow): number => Number(a.at < b.at) - Number(a.at > b.at);

const KINDS = {
  opened: 'etch',
  late: 'etch',
  retracted: 'etch',
  closed: 'challenge',
  resolved: 'resolution',
} as const satisfies Record<News, string>;

const kindOf = ({ news }: { news: News }) => KINDS[news];

interface NewsRow {
  news: News;
  record_id: string;
  own: boolean;
  at: string;
}

const LATE_SECONDS = 3_600;

const always = (): Sql => sql`true`;

const OWN_NEWS: Readonly<Record<EventType, { news: News; when: (since: Sql) => Sql }>> = {
  'etch.anchored': {
    news: 'late',
    when: () => sql`exists (
      select 1 from etch e where e.id = v.record_id and v.at > e.created_at + ${LATE_SECONDS} * interval '1 second')`,
  },
  // Not an answer that opened because its challenge closed: one row says both.
  'etch.revealed': {
    news: 'opened',
    when: (since) => sql`not exists (
      select 1 from etch e join event c on c.record_id = e.challenge_id and c.user_id = v.user_id
      where e.id = v.record_id and c.type = 'challenge.closed' and c.noted_at > ${since})`,
  },
  'etch.retracted': { news: 'retracted', when: always },
  'etch.resolved': { news: 'resolved', when: always },
  // Not after a resolution: accounts that answered have its row, and its author made it.
  'challenge.closed': {
    news: 'closed',
    when: () => sql`not exists (select 1 from resolution r where r.target_id = v.record_id)`,
  },
  'challenge.resolved': { news: 'resolved', when: always },
};

/** Expects the event as `v`. */
const isNews = (since: Sql): Sql => {
  const cases = Object.entries(OWN_NEWS).map(([type, { when }]) => sql`when ${type} then ${when(since)}`);
  return sql`case v.type ${join(cases, ' ')} end`;
};

async function listOwnNews(db: Queryable, userId: string, since: string): Promise<NewsRow[]> {
  const rows = await db.query<Omit<NewsRow, 'news'> & { type: EventType }>(sql`
    select v.type, v.record_id, true as own, v.at
    from event v
    where v.user_id = ${userId} and v.noted_at > ${since} and ${isNews(sql`${since}`)}
    order by v.position desc limit ${MOST + 1}`);
  return rows.map(({ type, ...row }) => ({ ...row, news: OWN_NEWS[type].news }));
}

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

function listFollowedNews(db: Queryable, userId: string, { since, now }: { since: string; now: string }) {
  const after = sql`${since}`;
  return db.query<NewsRow>(sql`
    select * from (
      select case when e.status = 'retracted' then 'retracted' else 'opened' end as news, e.id as record_id, false as own,
        coalesce(e.retracted_at, e.reveal_at) as at
      ${followedEtches(userId, after, now)}
      union all
      select 'closed', c.id, false, c.reveal_at ${followedChallenges(userId, after, now)}
    ) n order by at desc limit ${MOST + 1}`);
}

const LOOKED_THROUGH = 300;

const LOOK = sql`(select since from look)`;

const newestEvents = (userId: string): Sql => sql`
  select user_id, type, record_id, at, noted_at from event where user_id = ${userId}
  order by position desc limit ${LOOKED_THROUGH}`;

/** Counts few events, because every page of a signed-in person runs it. */
export function newsCounted(db: Db, { userId }: Caller, at: number, most: number): Promise<number> {
  const now = toTime(at);
  return db.value<number>(sql`
    with look as materialized (
      select coalesce((select seen_at from inbox_seen where user_id = ${userId}), ${toTime(at - FIRST_LOOK_MS)}::timestamptz) as since
    )
    select least(${most}::integer, (
      select count(*) from (
        select 1 from (${newestEvents(userId)}) v, look
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
}

/** Counts the closings of these challenges that `newsCounted` counts too. */
export const countClosedNews = (
  db: Queryable,
  userId: string,
  since: string,
  challenges: readonly string[],
) =>
  db.value<number>(sql`
    select count(*)::integer as count from (${newestEvents(userId)}) v
    where v.type = 'challenge.closed' and v.record_id = any(${challenges}::uuid[]) and v.noted_at > ${since}`);

type FollowedAccount = Pick<AuthorColumns, 'username' | 'display_name' | 'kind'> & { user_id: string };

export const listFollowedAccounts = (db: Queryable, userId: string, limit: number) =>
  db.query<FollowedAccount>(sql`
    select a.id as user_id, a.username, a.display_name, a.kind
    from follow f join account a on a.id = f.target_id::uuid
    where f.user_id = ${userId} and f.target_type = 'user' order by f.created_at desc, a.id limit ${limit}`);
