import sql, { type Sql } from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';
import { NOT_HIDDEN } from './hidden-store.ts';

export interface FeedPlace {
  /** this reading leaves later events out */
  asOf: string;
  /** oldest creation and oldest reveal in this reading */
  createdFrom: string;
  revealedFrom: string;
  after?: { score: number; id: string };
}

export interface Ranked {
  id: string;
  score: number;
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
): Promise<Ranked[]> {
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

export async function isPersonalized(db: Queryable, callerId: string): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from follow where user_id = ${callerId} and target_type in ('user', 'category') limit 1`);
  return rows.length > 0;
}
