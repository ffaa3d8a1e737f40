// The SQL of a scrub: sizes, files and statistics of tables, and the marks of finished rewrites.
import sql, { raw, type Sql } from 'sql-template-tag';
import type { Db, Queryable } from '../../db/db.ts';

export interface Relation {
  name: string;
  plainBytes: number;
  trigramBytes: number;
  bytes: number;
  files: { relation: string; path: string }[];
  /** `relfrozenxid`: older transactions had ended at the last rewriting */
  frozenXid: string;
}

export async function readRelation(db: Queryable, name: string): Promise<Relation | undefined> {
  const row = await db.first<Omit<Relation, 'files'>>(sql`
    select c.relname::text as name, pg_total_relation_size(c.oid) as bytes, c.relfrozenxid::text as "frozenXid",
      pg_total_relation_size(c.oid) - coalesce((
        select sum(pg_relation_size(i.indexrelid)) from pg_index i join pg_class x on x.oid = i.indexrelid
        join pg_am a on a.oid = x.relam where i.indrelid = c.oid and a.amname = 'gin'), 0)::bigint as "plainBytes",
      case when exists (
        select from pg_index i join pg_class x on x.oid = i.indexrelid join pg_am a on a.oid = x.relam
        where i.indrelid = c.oid and a.amname = 'gin') then pg_table_size(c.oid) else 0 end as "trigramBytes"
    from pg_class c where c.oid = ${name}::regclass`);
  if (!row) return undefined;
  const files = await db.query<Relation['files'][number]>(sql`
    with t as (select oid, reltoastrelid from pg_class where oid = ${name}::regclass),
      parts as (
        select oid from t union all select reltoastrelid from t where reltoastrelid <> 0
        union all select i.indexrelid from pg_index i join t on i.indrelid in (t.oid, t.reltoastrelid))
    select p.oid::regclass::text as relation, pg_relation_filepath(p.oid) as path from parts p order by 1`);
  return { ...row, files };
}

/** Later transactions do not see rows erased before it. */
export const takeNumber = (db: Queryable) =>
  db.one<{ xid: string; at: string }>(
    sql`select (pg_current_xact_id()::xid)::text as xid, clock_timestamp() as at`,
  );

/** Transaction ids wrap around. */
export const isNotBefore = (db: Queryable, xid: string, since: string) =>
  db.value<boolean>(sql`select age(${xid}::text::xid) <= age(${since}::text::xid) as is`);

export const listHolders = (db: Queryable, xid: string) =>
  db.column<string>(sql`
    select 'the transaction of process ' || a.pid || coalesce(', open for ' ||
        extract(epoch from clock_timestamp() - a.xact_start)::integer || ' s', '') as who
    from pg_stat_activity a
    where a.datname = current_database() and a.pid <> pg_backend_pid() and a.backend_type = 'client backend'
      and greatest(age(a.backend_xmin), age(a.backend_xid)) > age(${xid}::text::xid)
    union all
    select 'the replication slot ' || s.slot_name from pg_replication_slots s
    where greatest(age(s.xmin), age(s.catalog_xmin)) > age(${xid}::text::xid)
    union all
    select 'a query on the standby ' || r.application_name from pg_stat_replication r
    where age(r.backend_xmin) > age(${xid}::text::xid)
    union all
    select 'the prepared transaction ' || p.gid from pg_prepared_xacts p
    where p.database = current_database() and age(p.transaction) > age(${xid}::text::xid)`);

export const rewrite = (db: Queryable, table: string) => db.query(raw(`vacuum full ${quoted(table)}`));

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const checkpoint = (db: Queryable) => db.query(sql`checkpoint`);

export const switchLog = (db: Queryable) => db.query(sql`select pg_current_xact_id(), pg_switch_wal()`);

export const listPresent = (db: Queryable, paths: readonly string[]) =>
  db.column<string>(sql`
    select path from unnest(${paths}::text[]) as p (path) where (pg_stat_file(path, true)).size is not null`);

type Columns = readonly { table: string; column: string }[];

/** Joins the columns, as the table `w`, with their entries in the catalogue. */
const named = (columns: Columns): Sql => sql`
  unnest(${columns.map(({ table }) => table)}::text[], ${columns.map(({ column }) => column)}::text[]) as w (t, c)
  join pg_class c on c.oid = to_regclass(quote_ident(w.t)) join pg_attribute a on a.attrelid = c.oid and a.attname = w.c`;

export const listSampled = (db: Queryable, columns: Columns) =>
  db.query<{ table: string; column: string; type: string }>(sql`
    select c.relname::text as table, a.attname::text as column,
      format_type(a.atttypid, a.atttypmod) || coalesce((
        select ' collate ' || quote_ident(l.collname) from pg_collation l
        where l.oid = a.attcollation and l.collname <> 'default'), '') as type
    from ${named(columns)}
    where a.attstattarget is distinct from 0 or exists (
      select from pg_stats s join pg_namespace n on n.nspname = s.schemaname
      where n.oid = c.relnamespace and s.tablename = c.relname and s.attname = a.attname)
    order by 1, 2`);

/** Deletes the sampled values in pg_statistic, by setting the column to its own type. */
export function dropSamples(db: Queryable, sampled: { table: string; column: string; type: string }) {
  const column = `alter column ${quoted(sampled.column)}`;
  return db.query(
    raw(`alter table ${quoted(sampled.table)} ${column} set statistics 0, ${column} type ${sampled.type}`),
  );
}

export const listExtendedStatistics = (db: Queryable, columns: Columns) =>
  db.column<string>(sql`
    select distinct format('%I.%I', n.nspname, s.stxname) as name
    from ${named(columns)}
    join pg_statistic_ext s on s.stxrelid = c.oid and (a.attnum = any(s.stxkeys::smallint[]) or s.stxexprs is not null)
    join pg_namespace n on n.oid = s.stxnamespace order by 1`);

export const dropExtendedStatistics = (db: Queryable, name: string) =>
  db.query(raw(`drop statistics if exists ${name}`));

export async function readMarks(db: Queryable): Promise<Map<string, string>> {
  const rows = await db.query<{ relation: string; scrubbed_at: string }>(
    sql`select relation, scrubbed_at from scrub_mark`,
  );
  return new Map(rows.map(({ relation, scrubbed_at }) => [relation, scrubbed_at]));
}

export const writeMark = (db: Queryable, relation: string, at: string) =>
  db.query(sql`
    insert into scrub_mark (relation, scrubbed_at) values (${relation}, ${at})
    on conflict (relation) do update set scrubbed_at = excluded.scrubbed_at`);

export const readNewestErasure = (db: Queryable) =>
  db.value<string | null>(sql`select max(written_at) as at from erasure`);

export interface Rate {
  plain: number;
  trigram: number;
}

export async function measureRate(db: Db): Promise<Rate> {
  const rows = db.engine === 'pglite' ? 4_000 : 20_000;
  await db.query(sql`drop table if exists scrub_rate`);
  try {
    await db.query(sql`
      create table scrub_rate as select i, md5(i::text) || ' ' || repeat(md5((i * 7)::text), 4) as words
      from generate_series(1, ${rows}::integer) i`);
    await db.query(sql`create index scrub_rate_plain on scrub_rate (words)`);
    const size = await db.one<{ all_of_it: number; rows: number }>(sql`
      select pg_total_relation_size('scrub_rate') as all_of_it, pg_table_size('scrub_rate') as rows`);
    const plain = await took(() => db.query(sql`vacuum full scrub_rate`));
    const trigram = await took(() =>
      db.query(sql`create index scrub_rate_trigram on scrub_rate using gin (words gin_trgm_ops)`),
    );
    return { plain: size.all_of_it / plain, trigram: size.rows / trigram };
  } finally {
    await db.query(sql`drop table if exists scrub_rate`);
  }
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return Math.max(1, performance.now() - from);
}
