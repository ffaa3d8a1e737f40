// The tables of an archive: every table is archived or listed with a reason. Also the manifest of an archive.
import sql, { empty, raw } from 'sql-template-tag';
import type { Queryable, Tx } from '../../db/db.ts';
import { inPages, faultError, inputError } from '../context.ts';
import { hex } from '../../anchoring/ledger/bytes.ts';
import type { Hex } from '../../chain/port.ts';

export interface Table {
  name: string;
  key: string[];
  numbered: string | null;
}

/** A new table must be archived or listed here with a reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  schema_migration: 'the schema is made by migrations',
  lease: 'who leads now',
  web_session: 'who is signed in stays signed in here only',
  issuer_grant: 'a program stays signed in here only',
  scrub_mark: 'of the files of one database',
  search_queue: 'filled anew',
  idempotency_guess: 'counts for an hour',
  etch_search: 'made anew out of the etches',
  topic_count: 'made anew out of the etches',
  account_count: 'made anew out of the etches',
  account_search: 'made anew out of the accounts',
  challenge_search: 'made anew out of the challenges',
};

export async function listTables(db: Queryable): Promise<Table[]> {
  const tables = await db.query<Table & { needs: string[] }>(sql`
    select c.relname::text as name,
      array(select a.attname::text from pg_index i
        cross join lateral unnest(i.indkey::smallint[]) with ordinality as k (attnum, at)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
        where i.indrelid = c.oid and i.indisprimary order by k.at) as key,
      (select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attidentity <> '' limit 1) as numbered,
      array(select f.relname::text from pg_constraint r join pg_class f on f.oid = r.confrelid
        where r.conrelid = c.oid and r.contype = 'f' and f.oid <> c.oid) as needs
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relkind = 'r' order by 1`);
  const left = new Map(tables.filter(({ name }) => !(name in LEFT_OUT)).map((table) => [table.name, table]));
  const sorted: Table[] = [];
  while (left.size > 0) {
    const next = [...left.values()].find(({ needs }) => !needs.some((name) => left.has(name)));
    if (!next) throw new Error('tables refer to each other in a circle');
    left.delete(next.name);
    sorted.push({ name: next.name, key: next.key, numbered: next.numbered });
  }
  return sorted;
}

export async function* readRows(db: Queryable, table: Table, atOnce: number): AsyncGenerator<string[]> {
  const name = raw(quoted(table.name));
  const key = raw(table.key.map((column) => `t.${quoted(column)}`).join(', '));
  // One expression per key column lets the index scan start at the last key.
  const place = raw(table.key.map((column) => `(select k.${quoted(column)} from k)`).join(', '));
  const read = (last: { line: string } | undefined): Promise<{ line: string }[]> => {
    const from = last
      ? sql`with k as materialized (select * from json_populate_record(null::${name}, ${last.line}::json))`
      : empty;
    const after = last ? sql`where (${key}) > (${place})` : empty;
    return db.query(sql`
      ${from} select row_to_json(t)::text as line from ${name} t ${after} order by ${key} limit ${atOnce}`);
  };
  for await (const rows of inPages(atOnce, read)) yield rows.map(({ line }) => line);
}

export async function writeRows(tx: Tx, table: Table, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return;
  const name = raw(quoted(table.name));
  const overriding = table.numbered === null ? empty : sql`overriding system value`;
  await tx.query(sql`
    insert into ${name} ${overriding} select * from json_populate_recordset(null::${name}, ${`[${lines.join(',')}]`}::json)`);
}

export async function continueNumbers(tx: Tx, table: Table): Promise<void> {
  if (table.numbered === null) return;
  const column = raw(quoted(table.numbered));
  await tx.query(sql`
    select setval(pg_get_serial_sequence(${quoted(table.name)}, ${table.numbered}), coalesce(max(${column}), 0) + 1, false)
    from ${raw(quoted(table.name))}`);
}

/** Lets rows load in any order. The returned function restores and checks the constraints. */
export async function suspendSelfReferences(tx: Tx): Promise<() => Promise<void>> {
  const constraints = await tx.query<{ table: string; name: string; definition: string }>(sql`
    select c.relname::text as table, r.conname::text as name, pg_get_constraintdef(r.oid) as definition
    from pg_constraint r join pg_class c on c.oid = r.conrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and r.contype = 'f' and r.conrelid = r.confrelid`);
  const change = (what: string) => tx.query(raw(what));
  for (const { table, name } of constraints)
    await change(`alter table ${quoted(table)} drop constraint ${quoted(name)}`);
  return async () => {
    for (const { table, name, definition } of constraints)
      await change(`alter table ${quoted(table)} add constraint ${quoted(name)} ${definition}`);
  };
}

export function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

export const ARCHIVE_FORMAT = 'svc-archive:v1';

export interface Manifest {
  format: typeof ARCHIVE_FORMAT;
  made_at: string;
  base_url: string;
  chain: {
    name: string;
    chain_id: number;
    attestation_contract: string;
    schema_uid: string;
    relayers: string[];
  };
  schema_version: number | null;
  tables: string[];
  counts: { etches: number; trees: number; accounts: number };
}

/** The name becomes a file name, so it must contain no control sequences. */
const isTableName = (name: unknown): boolean => typeof name === 'string' && /^[a-z_]+$/.test(name);

export function parseManifest(text: string): Manifest {
  try {
    const manifest = JSON.parse(text) as Manifest;
    if (
      manifest.format === ARCHIVE_FORMAT &&
      Array.isArray(manifest.tables) &&
      manifest.tables.every(isTableName)
    )
      return manifest;
  } catch {
    // The error below reports it.
  }
  throw inputError(`this is no archive of the format ${ARCHIVE_FORMAT}`);
}

export async function readFacts(
  db: Queryable,
): Promise<{ now: string; schema: number; counts: Manifest['counts'] }> {
  const row = await db.first<{ now: string; schema: number } & Manifest['counts']>(sql`
    select now()::timestamptz(3) as now, (select max(version) from schema_migration) as schema,
      (select count(*) from etch) as etches, (select count(*) from account) as accounts,
      (select count(distinct (root, kind)) from batch where anchored_at is not null and tree_version <> 0) as trees`);
  const { now, schema, ...counts } = row!;
  return { now, schema, counts };
}

export async function readBoundChain(db: Queryable) {
  const bound = await db.first<{ chainId: number; contract: Hex; schemaUid: Hex }>(sql`
    select chain_id as "chainId", ${hex('contract')} as contract, ${hex('schema_uid')} as "schemaUid" from chain_state
    where chain_id is not null`);
  if (!bound) throw faultError('this database has no chain yet: start the service on it once');
  return bound;
}
