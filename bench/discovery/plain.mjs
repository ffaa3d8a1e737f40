// Hand-written SQL in several ways; the fastest counts. Each returns the exact total and the ids of the page.
import sql, { join, raw } from 'sql-template-tag';

const NEWEST = raw('created_at desc, etch_id desc');

export function listing({ category, status, users, offset = 0 }) {
  const all = [
    ...(category ? [sql`category_id = any(${category}::text[])`] : []),
    ...(status ? [sql`status = any(${status}::text[])`] : []),
    ...(users ? [sql`user_id = any(${users}::uuid[])`] : []),
  ];
  const where = all.length > 0 ? sql`where ${join(all, ' and ')}` : sql``;
  return [
    [
      sql`select count(*) from etch_search ${where}`,
      sql`select etch_id from etch_search ${where} order by ${NEWEST} offset ${offset}::bigint limit 30`,
    ],
  ];
}

export function inTime(q) {
  const pattern = `%${q}%`;
  const count = sql`select count(*) from etch_search where text like ${pattern}`;
  return [
    [count, sql`select etch_id from etch_search where text like ${pattern} order by ${NEWEST} limit 30`],
    [
      count,
      sql`select etch_id from etch_search where text || '' like ${pattern} order by ${NEWEST} limit 30`,
    ],
    [
      sql`with m as materialized (select etch_id, created_at from etch_search where text like ${pattern})
        select (select count(*) from m), array_to_string(array(select etch_id from m order by ${NEWEST} limit 30), ',') as ids`,
    ],
  ];
}

const relevanceOf = (q) => sql`(case when strpos(text, ${q}) < strpos(text, 'Z') then 100 else 0 end
    + least(99, (octet_length(text) - octet_length(replace(text, ${q}, ''))) / ${q.length}::integer))`;

export function byRelevance(q) {
  const pattern = `%${q}%`;
  const relevance = relevanceOf(q);
  return [
    [
      sql`select count(*) from etch_search where text like ${pattern}`,
      sql`select etch_id from etch_search where text like ${pattern} order by ${relevance} desc, ${NEWEST} limit 30`,
    ],
    [
      sql`with m as materialized (select etch_id, created_at, ${relevance} as r from etch_search where text like ${pattern})
        select (select count(*) from m), array_to_string(array(select etch_id from m order by r desc, ${NEWEST} limit 30), ',') as ids`,
    ],
  ];
}

export function accountsByWord(q) {
  const pattern = `%${q}%`;
  return [
    [
      sql`with m as materialized (select user_id, count(*) as n, sum(${relevanceOf(q)}) as r from etch_search where text like ${pattern} group by user_id)
        , named as (select user_id, 1000 as bonus from account_search where names like ${pattern})
        , found as (select user_id, coalesce(n, 0) as n, coalesce(r, 0) + coalesce(bonus, 0) as r from m full join named using (user_id))
        select (select count(*) from found), f.n, a.*, c.* from (select * from found order by r desc, user_id limit 30) f
        join account a on a.id = f.user_id left join account_count c on c.user_id = a.id and c.category_id = '*'`,
    ],
  ];
}

export function accountsByTopic(category) {
  return [
    [
      sql`with m as materialized (select user_id, count(*) as n from etch_search where category_id = ${category} group by user_id)
        select (select count(*) from m), user_id, n from m order by n desc, user_id limit 30`,
    ],
  ];
}

export function feed(callerId) {
  return [
    [
      sql`select etch_id, (extract(epoch from case when status = 'revealed' and reveal_at is not null then reveal_at else e.created_at end) * 1000)::bigint
          + case when a.id::text in (select target_id from follow where user_id = ${callerId} and target_type = 'user') then 64800000
                 when a.agent_domain is not null then 0 else -43200000 end as score
        from etch_search e join account a on a.id = e.user_id where status <> 'retracted' order by score desc, etch_id desc limit 31`,
    ],
  ];
}
