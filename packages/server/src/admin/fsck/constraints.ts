import sql, { raw } from 'sql-template-tag';
import type { Queryable } from '../../db/db.ts';
import { quoted } from '../archive/tables.ts';
import type { Report } from './report.ts';

/** A schema without one of these was changed manually. */
const INDISPENSABLE = [
  'batch_leaf_pkey',
  'anchor_job_pkey',
  'anchor_tx_nonce',
  'etch_pkey',
  'etch_code_key',
  'etch_once_per_challenge',
  'idempotency_pkey',
  'account_username_key',
  'erasure_pkey',
  'revocation_pkey',
];

interface Constraint {
  table: string;
  name: string;
  type: 'c' | 'f';
  validated: boolean;
  expression: string | null;
  columns: string[];
  target: string | null;
  target_columns: string[];
}

export async function checkConstraints(db: Queryable, report: Report): Promise<void> {
  const present = await db.query<{ name: string }>(sql`
    select c.relname::text as name from pg_index i join pg_class c on c.oid = i.indexrelid
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and i.indisunique and i.indisvalid and c.relname = any(${INDISPENSABLE}::text[])`);
  const names = new Set(present.map(({ name }) => name));
  for (const name of INDISPENSABLE)
    if (!names.has(name)) report.fault('constraint', name, 'it is missing or not valid');

  for (const constraint of await listConstraints(db)) {
    report.count('constraints');
    const { table, name } = constraint;
    const broken = await db.query<{ count: number }>(
      raw(`select count(*) as count from ${countBroken(constraint)}`),
    );
    const count = broken[0]!.count;
    if (count > 0) report.fault('constraint', `${table}.${name}`, `${count} rows break it`);
  }
}

function listConstraints(db: Queryable): Promise<Constraint[]> {
  const columns = (relation: string, keys: string) =>
    raw(`
    array(select a.attname::text from unnest(r.${keys}) with ordinality as k (attnum, at)
      join pg_attribute a on a.attrelid = r.${relation} and a.attnum = k.attnum order by k.at)`);
  return db.query<Constraint>(sql`
    select c.relname::text as table, r.conname::text as name, r.contype::text as type, r.convalidated as validated,
      pg_get_expr(r.conbin, r.conrelid) as expression, ${columns('conrelid', 'conkey')} as columns,
      f.relname::text as target, ${columns('confrelid', 'confkey')} as target_columns
    from pg_constraint r join pg_class c on c.oid = r.conrelid join pg_namespace n on n.oid = c.relnamespace
    left join pg_class f on f.oid = r.confrelid
    where n.nspname = current_schema() and r.contype in ('c', 'f') order by 1, 2`);
}

function countBroken({
  table,
  type,
  expression,
  columns,
  target,
  target_columns: targets,
}: Constraint): string {
  if (type === 'c') return `${quoted(table)} where not (${expression})`;
  const present = columns.map((column) => `t.${quoted(column)} is not null`).join(' and ');
  const same = columns.map((column, at) => `f.${quoted(targets[at]!)} = t.${quoted(column)}`).join(' and ');
  return `${quoted(table)} t where ${present} and not exists (select from ${quoted(target!)} f where ${same})`;
}
