// `svc-admin fsck`: recomputes everything that the database derives, and checks rules that no constraint enforces.
import sql, { raw, type Sql } from 'sql-template-tag';
import { buildFlatTree, etchLeaf } from '@svc/protocol';
import type { Queryable } from '../../db/db.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';
import { checkEtches } from './etches.ts';
import { checkIndexEntries } from './index-entries.ts';
import { Report } from './report.ts';
import { quoted } from '../archive/tables.ts';
import { sha256 } from '../../platform/secrets/signing-key.ts';
import { inPages } from '../context.ts';

/** Recomputes everything derived. Each page is one statement, so it is consistent while the service writes. */
export async function fsck(
  db: Queryable,
  keyring: Keyring,
  progress: (step: string, done: number) => void = () => {},
): Promise<Report> {
  const report = new Report();
  await checkEtches(db, keyring, report, (done) => progress('etches', done));
  await checkTrees(db, report, (done) => progress('trees', done));
  await checkIndexEntries(db, report, (done) => progress('log entries', done));
  await checkLedger(db, report);
  await checkConstraints(db, report);
  return report;
}

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
  expression: string | null;
  columns: string[];
  target: string | null;
  targets: string[];
}

async function checkConstraints(db: Queryable, report: Report): Promise<void> {
  const present = await db.column<string>(sql`
    select c.relname::text as name from pg_index i join pg_class c on c.oid = i.indexrelid
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and i.indisunique and i.indisvalid and c.relname = any(${INDISPENSABLE}::text[])`);
  for (const name of INDISPENSABLE)
    if (!present.includes(name)) report.fault('constraint', name, 'it is missing or not valid');

  for (const constraint of await listConstraints(db)) {
    report.count('constraints');
    const count = await db.value<number>(raw(`select count(*) as count from ${rowsThatBreak(constraint)}`));
    if (count > 0)
      report.fault('constraint', `${constraint.table}.${constraint.name}`, `${count} rows break it`);
  }
}

function listConstraints(db: Queryable): Promise<Constraint[]> {
  const columns = (relation: string, keys: string) =>
    raw(`
    array(select a.attname::text from unnest(r.${keys}) with ordinality as k (attnum, at)
      join pg_attribute a on a.attrelid = r.${relation} and a.attnum = k.attnum order by k.at)`);
  return db.query<Constraint>(sql`
    select c.relname::text as table, r.conname::text as name, r.contype::text as type,
      pg_get_expr(r.conbin, r.conrelid) as expression, ${columns('conrelid', 'conkey')} as columns,
      f.relname::text as target, ${columns('confrelid', 'confkey')} as targets
    from pg_constraint r join pg_class c on c.oid = r.conrelid join pg_namespace n on n.oid = c.relnamespace
    left join pg_class f on f.oid = r.confrelid
    where n.nspname = current_schema() and r.contype in ('c', 'f') order by 1, 2`);
}

function rowsThatBreak({ table, type, expression, columns, target, targets }: Constraint): string {
  if (type === 'c') return `${quoted(table)} where not (${expression})`;
  const present = columns.map((column) => `t.${quoted(column)} is not null`).join(' and ');
  const same = columns.map((column, at) => `f.${quoted(targets[at]!)} = t.${quoted(column)}`).join(' and ');
  return `${quoted(table)} t where ${present} and not exists (select from ${quoted(target!)} f where ${same})`;
}

/** Each statement returns the ids that break a rule without a constraint, by kind and rule. */
const RULES: Readonly<Record<string, Readonly<Record<string, Sql>>>> = {
  // A foreign key would slow each creation down (000001_core.sql).
  etch: {
    'its account is gone': sql`
      select e.id::text as id from etch e where not exists (select from account a where a.id = e.user_id)`,
  },
  'anchoring job': {
    'its etch is gone': sql`
      select j.etch_id::text as id from anchor_job j where not exists (select from etch e where e.id = j.etch_id)`,
  },
  transaction: {
    'its mined hash is no signed form of it': sql`
      select t.id::text as id from anchor_tx t
      where t.state in ('MINED', 'FINAL') and not exists (select from tx_attempt a where a.tx_id = t.id and a.hash = t.tx_hash)`,
    'it is final without a block': sql`
      select id::text as id from anchor_tx where state = 'FINAL' and (block_number is null or block_time is null)`,
    'it has no batch and no unplaced attestation': sql`
      select t.id::text as id from anchor_tx t where t.action = 'attest' and t.state <> 'LOST' and t.unplaced = 0
      and not exists (select from batch b where b.tx_id = t.id)`,
  },
  challenge: {
    'its count is not the number of its etches': sql`
      select c.id::text as id from challenge c left join challenge_tally t on t.id = c.id
      where t.etch_count is distinct from (select count(*) from etch e where e.challenge_id = c.id)`,
    'an etch in it has a different reveal time or topic, or is not delayed': sql`
      select distinct c.id::text as id from challenge c join etch e on e.challenge_id = c.id
      where e.reveal_at is distinct from c.reveal_at or e.category_id <> c.category_id or e.mode <> 'delayed'`,
  },
  'idempotency key': {
    'its record is gone': sql`
      select i.record_id::text as id from idempotency i
      where not exists (select from etch e where e.id = i.record_id)
        and not exists (select from challenge c where c.id = i.record_id)`,
  },
};

async function checkLedger(db: Queryable, report: Report): Promise<void> {
  for (const [kind, rules] of Object.entries(RULES))
    for (const [what, broken] of Object.entries(rules)) {
      report.count('rules');
      for (const id of await db.column<string>(broken)) report.fault(kind, id, what);
    }
}

interface StoredTree {
  id: number;
  kind: 0 | 1;
  tree_version: 0 | 1 | 2;
  root: string;
  tree_size: number;
  /** null while it waits to be attested again */
  state: string | null;
  uid: Buffer | null;
  anchored_at: string | null;
  tx_hash: Buffer | null;
  /** author and hash, null if the etch is gone */
  leaves: [string | null, string | null][] | null;
}

const AT_ONCE = 4;

export async function checkTrees(
  db: Queryable,
  report: Report,
  progress: (done: number) => void,
): Promise<void> {
  const read = (last: StoredTree | undefined): Promise<StoredTree[]> =>
    db.query(sql`
      select b.id, b.kind, b.tree_version, encode(b.root, 'hex') as root, b.tree_size, t.state, b.uid, b.anchored_at, t.tx_hash,
        (select json_agg(json_build_array(e.user_id, encode(e.hash, 'hex')))
          from batch_leaf l left join etch e on e.id = l.etch_id where l.batch_id = b.id) as leaves
      from batch b left join anchor_tx t on t.id = b.tx_id
      where b.id > ${last?.id ?? 0} order by b.id limit ${AT_ONCE}`);
  for await (const page of inPages(AT_ONCE, read)) {
    for (const tree of page) {
      report.count('roots');
      checkTree(tree, (what) => report.fault(tree.kind === 0 ? 'tree' : 'tombstone tree', tree.root, what));
    }
    progress(report.checked['roots'] ?? 0);
  }
}

function checkTree(tree: StoredTree, fault: (what: string) => void): void {
  const leaves =
    (typeof tree.leaves === 'string' ? (JSON.parse(tree.leaves) as StoredTree['leaves']) : tree.leaves) ?? [];
  const anchored = tree.state === 'FINAL';
  if (tree.state === 'LOST') fault('its transaction was given up');
  if (anchored && (!tree.uid || tree.anchored_at === null || !tree.tx_hash))
    fault('its transaction is final, but its attestation is not stored');
  const whole = leaves.filter(([author, hash]) => author !== null && hash !== null) as [string, string][];
  if (whole.length !== tree.tree_size)
    return fault(
      `it has ${tree.tree_size} leaves, of which ${tree.tree_size - whole.length} are missing: their etches were deleted`,
    );
  try {
    if (rootOf(tree.tree_version, whole) !== tree.root) fault('its etches do not fold to it');
  } catch {
    fault('its etches cannot be folded');
  }
}

function rootOf(version: 0 | 1 | 2, leaves: readonly [string, string][]): string {
  if (version === 0) return leaves[0]![1];
  const hashed = leaves.map(([author, hash]) => etchLeaf(version, author, hash, sha256));
  return Buffer.from(buildFlatTree(hashed, sha256).root).toString('hex');
}
