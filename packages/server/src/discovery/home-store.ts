import sql from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';
import { NOT_HIDDEN } from './hidden-store.ts';

export interface Candidate {
  id: string;
  user_id: string;
  challenge_id: string | null;
}

/** All answers of a challenge open at the same time. */
const MOMENTS = 30;
const OF_EACH_MOMENT = 3;
const OWN = 2_000;

export async function listNewestShown(
  db: Queryable,
  topics: readonly string[],
  limit: number,
): Promise<Candidate[]> {
  return db.query<Candidate>(sql`
    select m.etch_id as id, m.user_id, e.challenge_id from (
      select n.* from unnest(${topics}::text[]) as t (id) cross join lateral (
        select etch_id, user_id, created_at from etch_search
        where category_id = t.id and status = 'revealed' and user_id ${NOT_HIDDEN}
        order by created_at desc, etch_id desc limit ${limit}
      ) n order by n.created_at desc, n.etch_id desc limit ${limit}
    ) m join etch e on e.id = m.etch_id order by m.created_at desc, m.etch_id desc`);
}

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
export async function listOwn(
  db: Queryable,
  userId: string,
  { openedFrom, limit }: { openedFrom: string; limit: number },
): Promise<{ id: string; part: 'next' | 'opened' | 'any' }[]> {
  return db.query(sql`
    with mine as materialized (
      select id, status, reveal_at from etch where user_id = ${userId} order by created_at desc, id limit ${OWN}
    )
    (select id, 'next' as part from mine where status = 'sealed' order by reveal_at, id limit ${limit})
    union all
    (select id, 'opened' from mine where status = 'revealed' and reveal_at >= ${openedFrom} order by reveal_at desc, id limit ${limit})
    union all
    (select id, 'any' from mine limit 1)`);
}
