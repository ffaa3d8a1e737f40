import sql, { type Sql } from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';

/** The operator hid these accounts from feed, first page and sitemap. */
const NOT_HIDDEN = sql`<> all(array(select id from account where hidden_for is not null))`;

export interface FeedPlace {
  /** this reading leaves later events out */
  asOf: string;
  /** oldest creation and oldest reveal in this reading */
  createdFrom: string;
  revealedFrom: string;
  after?: { score: number; id: string };
}

const CREATIONS = 5_000;
const REVEALS = 2_500;
const OF_EACH_FOLLOWED = 50;

const HOUR = 3_600_000;
/** Milliseconds (docs/feed.md). */
const FOLLOWED_AUTHOR = 18 * HOUR;
const FOLLOWED_TOPIC = 6 * HOUR;
const NO_SIGNAL = -12 * HOUR;

/** Pages do not shift while etches are created. */
export async function openFeed(db: Queryable, asOf: string): Promise<FeedPlace> {
  const [row] = await db.query<{ created: string | null; revealed: string | null }>(sql`
    select (select min(created_at) from (
        select created_at from etch_search where created_at <= ${asOf} order by created_at desc limit ${CREATIONS}) c) as created,
      (select min(reveal_at) from (
        select reveal_at from etch_search where status = 'revealed' and reveal_at is not null and reveal_at <= ${asOf}
        order by reveal_at desc limit ${REVEALS}) r) as revealed`);
  return { asOf, createdFrom: row?.created ?? asOf, revealedFrom: row?.revealed ?? asOf };
}

export async function readFeed(
  db: Queryable,
  callerId: string,
  { asOf, createdFrom, revealedFrom, after }: FeedPlace,
  limit: number,
): Promise<{ id: string; score: number }[]> {
  const columns = sql`etch_id, user_id, category_id, status, created_at, reveal_at`;
  const followed = (type: 'user' | 'category'): Sql =>
    sql`select target_id from follow where user_id = ${callerId} and target_type = ${type}`;
  return db.query(sql`
    with friend as materialized (select target_id::uuid as user_id from (${followed('user')}) f),
    pool as (
      (select ${columns} from etch_search where created_at between ${createdFrom} and ${asOf})
      union all
      (select ${columns} from etch_search
       where status = 'revealed' and reveal_at is not null and reveal_at between ${revealedFrom} and ${asOf}
         and created_at < ${createdFrom})
      union all
      (select o.* from friend cross join lateral (
         select ${columns} from etch_search s where s.user_id = friend.user_id and s.created_at <= ${asOf}
         order by s.created_at desc, s.etch_id desc limit ${OF_EACH_FOLLOWED}) o
       where o.created_at < ${createdFrom}
         and (o.status <> 'revealed' or o.reveal_at is null or o.reveal_at not between ${revealedFrom} and ${asOf}))
    ), author as materialized (
      select a.id, a.id in (select user_id from friend) as is_followed,
        case a.kind when 'human' then a.social_verified_at is not null
                    else a.agent_domain is not null or a.operator_id is not null end
        or exists (select 1 from follow f where f.target_type = 'user' and f.target_id = a.id::text and f.user_id <> a.id) as has_signal
      from account a where a.id in (select user_id from pool) and a.hidden_for is null
    ), ranked as (
      select p.etch_id as id,
        (date_part('epoch', case when p.status = 'revealed' and p.reveal_at <= ${asOf} then p.reveal_at else p.created_at end) * 1000)::bigint
        + case when a.is_followed then ${FOLLOWED_AUTHOR}::bigint when a.has_signal then 0 else ${NO_SIGNAL}::bigint end
        + case when p.category_id in (${followed('category')}) then ${FOLLOWED_TOPIC}::bigint else 0 end as score
      from pool p join author a on a.id = p.user_id where p.status <> 'retracted'
    )
    select id, score from ranked
    ${after ? sql`where (score, id) < (${after.score}::bigint, ${after.id}::uuid)` : sql``}
    order by score desc, id desc limit ${limit}`);
}

export const ASKED_BY_SHOWN = sql`creator_id ${NOT_HIDDEN}`;

export const isPersonalized = (db: Queryable, callerId: string) =>
  db.hasRows(sql`
    select 1 from follow where user_id = ${callerId} and target_type in ('user', 'category') limit 1`);

export interface Candidate {
  id: string;
  user_id: string;
  challenge_id: string | null;
}

/** All answers of a challenge open at the same time. */
const MOMENTS = 30;
const OF_EACH_MOMENT = 3;
const OWN = 2_000;

export const listNewestShown = (db: Queryable, topics: readonly string[], limit: number) =>
  db.query<Candidate>(sql`
    select m.etch_id as id, m.user_id, e.challenge_id from (
      select n.* from unnest(${topics}::text[]) as t (id) cross join lateral (
        select etch_id, user_id, created_at from etch_search
        where category_id = t.id and status = 'revealed' and user_id ${NOT_HIDDEN}
        order by created_at desc, etch_id desc limit ${limit}
      ) n order by n.created_at desc, n.etch_id desc limit ${limit}
    ) m join etch e on e.id = m.etch_id order by m.created_at desc, m.etch_id desc`);

/** Takes a few etches of each reveal time, so that a large challenge hides no other reveal. */
export async function listOpenedShown(db: Queryable): Promise<Candidate[]> {
  const open = sql`status = 'revealed' and reveal_at is not null`;
  return db.query<Candidate>(sql`
    with recursive moment (at, number) as (
      (select reveal_at, 1 from etch_search where ${open} order by reveal_at desc limit 1)
      union all
      select n.reveal_at, m.number + 1 from moment m cross join lateral (
        select reveal_at from etch_search where ${open} and reveal_at < m.at order by reveal_at desc limit 1
      ) n where m.number < ${MOMENTS}
    )
    select o.etch_id as id, o.user_id, e.challenge_id from moment m cross join lateral (
      select etch_id, user_id from etch_search where ${open} and reveal_at = m.at and user_id ${NOT_HIDDEN}
      order by etch_id limit ${OF_EACH_MOMENT}
    ) o join etch e on e.id = o.etch_id order by m.at desc, o.etch_id`);
}

/** Lists the next to open, and those opened since. `any`: the account has etches. */
export const listOwn = (
  db: Queryable,
  userId: string,
  { openedFrom, limit }: { openedFrom: string; limit: number },
) =>
  db.query<{ id: string; part: 'next' | 'opened' | 'any' }>(sql`
    with mine as materialized (
      select id, status, reveal_at from etch where user_id = ${userId} order by created_at desc, id limit ${OWN}
    )
    (select id, 'next' as part from mine where status = 'sealed' order by reveal_at, id limit ${limit})
    union all
    (select id, 'opened' from mine where status = 'revealed' and reveal_at >= ${openedFrom} order by reveal_at desc, id limit ${limit})
    union all
    (select id, 'any' from mine limit 1)`);

export interface PublicDay {
  day: string;
  count: number;
}

/** Etches that were public at once count by creation, others by reveal; each half has an index. */
const HALVES: readonly { at: Sql; which: Sql }[] = [
  { at: sql`created_at`, which: sql`reveal_at is null` },
  { at: sql`reveal_at`, which: sql`reveal_at is not null` },
];

const bothHalves = (make: (half: (typeof HALVES)[number]) => Sql): Sql =>
  sql`(${make(HALVES[0]!)}) union all (${make(HALVES[1]!)})`;

export async function countPublicDays(db: Queryable, from: string): Promise<PublicDay[]> {
  const rows = await db.query<{ day: string; count: number | string }>(sql`
    select day, sum(count)::bigint as count from (${bothHalves(
      ({ at, which }) => sql`
        select to_char(${at} at time zone 'UTC', 'YYYY-MM-DD') as day, count(*) as count from etch_search
        where status = 'revealed' and ${which} and ${at} >= ${from} and user_id ${NOT_HIDDEN} group by 1`,
    )}) d group by day order by day`);
  return rows.map(({ day, count }) => ({ day, count: Number(count) }));
}

export const listPublicBetween = (
  db: Queryable,
  { from, to }: { from: string; to: string },
  { offset, limit }: { offset: number; limit: number },
) =>
  db.column<string>(sql`
    select etch_id from (${bothHalves(
      ({ at, which }) => sql`
        select etch_id, ${at} as at from etch_search
        where status = 'revealed' and ${which} and ${at} >= ${from} and ${at} < ${to} and user_id ${NOT_HIDDEN}`,
    )}) p order by at, etch_id limit ${limit} offset ${offset}`);
