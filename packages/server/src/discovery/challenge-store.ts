import sql, { join, type Sql } from 'sql-template-tag';
import { type ChallengeRow, findChallenges } from '../challenges/store.ts';
import type { ChallengeFilter } from '../challenges/list-store.ts';
import { toTime } from '../db/clock.ts';
import type { Queryable } from '../db/db.ts';
import type { Needle, Stretch } from './search-store.ts';

export const questionHolds = (needle: Needle): Sql =>
  sql`id in (select challenge_id from challenge_search s where ${holds(needle)})`;

export async function findBestChallenges(
  db: Queryable,
  needle: Needle,
  filter: ChallengeFilter,
  { offset, limit }: Stretch,
): Promise<{ total: number; challenges: ChallengeRow[] }> {
  const at = toTime(filter.now);
  const wanted = [
    holds(needle),
    ...(filter.status === 'open' ? [sql`c.reveal_at > ${at}`] : []),
    ...(filter.status === 'closed' ? [sql`c.reveal_at <= ${at}`] : []),
    ...(filter.categories.length > 0 ? [sql`c.category_id = any(${filter.categories}::text[])`] : []),
  ];
  const [row] = await db.query<{ total: number; ids: string }>(sql`
    with matching as materialized (
      select c.id, c.created_at,
        octet_length(s.question) - octet_length(replace(s.question, ${needle.folded}, '')) as letters
      from challenge_search s join challenge c on c.id = s.challenge_id where ${join(wanted, ' and ')}
    )
    select (select count(*) from matching)::integer as total,
      array_to_string(array(
        select id from matching order by letters desc, created_at desc, id desc
        offset ${offset}::bigint limit ${limit}::bigint), ',') as ids`);
  const { total, ids } = row!;
  const found = await findChallenges(db, ids === '' ? [] : ids.split(','));
  return { total, challenges: found.filter((challenge) => challenge !== undefined) };
}

export function holds(needle: Needle): Sql {
  const like = sql`s.question like ${needle.pattern}`;
  return needle.isLong ? sql`(${like} and strpos(s.question, ${needle.folded}) > 0)` : like;
}
