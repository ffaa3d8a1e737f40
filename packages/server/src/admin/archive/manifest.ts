import sql from 'sql-template-tag';
import { toHex } from '../../anchoring/ledger/bytes.ts';
import type { Queryable } from '../../db/db.ts';
import { AdminError, EXIT } from '../context.ts';

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
  throw new AdminError(EXIT.input, `this is no archive of the format ${ARCHIVE_FORMAT}`);
}

export async function readFacts(
  db: Queryable,
): Promise<{ now: string; schema: number; counts: Manifest['counts'] }> {
  const [row] = await db.query<{
    now: string;
    schema: number;
    etches: number;
    trees: number;
    accounts: number;
  }>(sql`
    select now()::timestamptz(3) as now, (select max(version) from schema_migration) as schema,
      (select count(*) from etch) as etches, (select count(*) from account) as accounts,
      (select count(distinct (root, kind)) from batch where anchored_at is not null and tree_version <> 0) as trees`);
  const { now, schema, ...counts } = row!;
  return { now, schema, counts };
}

export async function readBoundChain(
  db: Queryable,
): Promise<{ chainId: number; contract: string; schemaUid: string }> {
  const [row] = await db.query<{ chain_id: number | null; contract: Buffer; schema_uid: Buffer }>(
    sql`select chain_id, contract, schema_uid from chain_state`,
  );
  if (!row || row.chain_id === null)
    throw new AdminError(EXIT.fault, 'this database has no chain yet: start the service on it once');
  return { chainId: row.chain_id, contract: toHex(row.contract), schemaUid: toHex(row.schema_uid) };
}
