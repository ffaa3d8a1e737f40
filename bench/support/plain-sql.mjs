// Hand-written SQL, each question in one or more ways. Each way returns the exact total and the ids of the page.
import sql, { raw } from 'sql-template-tag';

const NEWEST = raw('created_at desc, etch_id desc');

const countOf = (where) => sql`select count(*) from etch_search where ${where}`;
const newest = (where, offset = 0) =>
  sql`select etch_id from etch_search where ${where} order by ${NEWEST} offset ${offset}::bigint limit 30`;

export const listing = (where = sql`true`, offset = 0) => [[countOf(where), newest(where, offset)]];

export function inTime(q) {
  const matches = sql`text like ${`%${q}%`}`;
  // The second way uses no index.
  return [
    [countOf(matches), newest(matches)],
    [countOf(matches), newest(sql`text || '' like ${`%${q}%`}`)],
  ];
}

const relevanceOf = (q) => sql`(case when strpos(text, ${q}) < strpos(text, 'Z') then 100 else 0 end
    + least(99, (octet_length(text) - octet_length(replace(text, ${q}, ''))) / ${q.length}::integer))`;

export const byRelevance = (q) => [
  [
    sql`with m as materialized (select etch_id, created_at, ${relevanceOf(q)} as r from etch_search where text like ${`%${q}%`})
      select (select count(*) from m), array_to_string(array(select etch_id from m order by r desc, ${NEWEST} limit 30), ',') as ids`,
  ],
];

export const accountsByWord = (q) => [
  [
    sql`with m as materialized (select user_id, count(*) as n, sum(${relevanceOf(q)}) as r from etch_search where text like ${`%${q}%`} group by user_id)
      , named as (select user_id, 1000 as bonus from account_search where names like ${`%${q}%`})
      , found as (select user_id, coalesce(n, 0) as n, coalesce(r, 0) + coalesce(bonus, 0) as r from m full join named using (user_id))
      select (select count(*) from found), f.n, a.*, c.* from (select * from found order by r desc, user_id limit 30) f
      join account a on a.id = f.user_id left join account_count c on c.user_id = a.id and c.category_id = '*'`,
  ],
];

export const accountsByTopic = (category) => [
  [
    sql`with m as materialized (select user_id, count(*) as n from etch_search where category_id = ${category} group by user_id)
      select (select count(*) from m), user_id, n from m order by n desc, user_id limit 30`,
  ],
];

export const feed = (callerId) => [
  [
    sql`select etch_id, (extract(epoch from case when status = 'revealed' and reveal_at is not null then reveal_at else e.created_at end) * 1000)::bigint
        + case when a.id::text in (select target_id from follow where user_id = ${callerId} and target_type = 'user') then 64800000
               when a.agent_domain is not null then 0 else -43200000 end as score
      from etch_search e join account a on a.id = e.user_id where status <> 'retracted' order by score desc, etch_id desc limit 31`,
  ],
];
