import sql from 'sql-template-tag';
import type { Queryable } from '../../db/db.ts';

export interface DatabaseState {
  /** 160004 is 16.4 */
  version: number;
  role: string;
  schema: string | null;
  may_create: boolean;
  has_trigrams: boolean;
  may_add_trigrams: boolean;
}

export async function readDatabaseState(db: Queryable): Promise<DatabaseState> {
  const [row] = await db.query<DatabaseState>(sql`
    select current_setting('server_version_num')::integer as version, current_user::text as role,
      current_schema()::text as schema,
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create,
      exists (select 1 from pg_extension where extname = 'pg_trgm') as has_trigrams,
      exists (select 1 from pg_available_extensions where name = 'pg_trgm')
        and has_database_privilege(current_database(), 'create') as may_add_trigrams`);
  return row!;
}

export async function tablesWithoutPrivilege(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`
    select relname::text as name from pg_class
    where relnamespace = (select oid from pg_namespace where nspname = current_schema()) and relkind = 'r'
      and not (has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert')
        and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete')
        and pg_has_role(relowner, 'usage'))
    order by relname`);
  return rows.map(({ name }) => name);
}
