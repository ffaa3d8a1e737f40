import sql, { raw } from 'sql-template-tag';
import type { Db } from '../../packages/server/src/db/db.ts';

/** Finds the tables that contain one of the words in any column. */
export async function tablesWith(db: Db, ...words: string[]): Promise<string[]> {
  const tables = await db.query<{ name: string }>(sql`
    select relname::text as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'`);
  const each = tables.map(
    ({ name }) =>
      `select '${name}' where exists (select 1 from "${name}" t, wanted where strpos(t::text, wanted.word) > 0)`,
  );
  const found = await db.query<{ name: string }>(sql`
    with wanted (word) as (select unnest(${words}::text[])), found (name) as (${raw(each.join(' union all '))})
    select name from found`);
  return found.map(({ name }) => name);
}
