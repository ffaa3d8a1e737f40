import sql, { raw } from 'sql-template-tag';
import type { Receipt } from '@svc/protocol';
import type { Db, Tx } from '../../db/db.ts';
import { migrate, type Migration, readMigrations } from '../../db/migrate.ts';
import { repairNames } from '../../search-index/names-store.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';
import { checkSecretKeys } from '../../platform/secrets/secret-keys.ts';
import { faultError, inputError } from '../context.ts';
import {
  continueNumbers,
  listTables,
  type Manifest,
  parseManifest,
  quoted,
  suspendSelfReferences,
  type Table,
  writeRows,
} from './tables.ts';
import { readTar } from './tar-files.ts';
import { makeReceipt } from '../../etches/receipt.ts';
import { queryEtches } from '../../etches/store.ts';

interface Imported {
  manifest: Manifest;
  rows: number;
  receipts: number;
}

const TABLE_FILE = /^tables\/([a-z_]+)\/\d+\.jsonl$/;
const RECEIPT_FILE = /^receipts\/[0-9a-f-]{36}\.json$/;

export async function importArchive(
  db: Db,
  file: string,
  keyring: Keyring,
  progress: (what: string) => void,
): Promise<Imported> {
  const files = readTar(
    file,
    (name) => name === 'manifest.json' || TABLE_FILE.test(name) || RECEIPT_FILE.test(name),
  );
  const first = await files.next();
  if (first.done || first.value.name !== 'manifest.json') throw inputError(`${file} is no archive`);
  const manifest = parseManifest(first.value.text);
  await prepareSchema(db, manifest);
  const result = await db.tx(async (tx) => {
    await tx.query(sql`set local idle_in_transaction_session_timeout = 0`);
    await refuseUnlessEmpty(tx);
    return load(tx, manifest, files, keyring, progress);
  });
  await migrate(db);
  await repairNames(db);
  return { manifest, ...result };
}

async function prepareSchema(db: Db, { schema_version: version, format }: Manifest): Promise<void> {
  if (version === null) throw inputError('this is a public archive: it has no tables to import');
  const known: Migration[] = await readMigrations();
  if (version > (known.at(-1)?.version ?? 0))
    throw inputError(`the archive (${format}) is of a newer version: import it with that one`);
  await migrate(
    db,
    known.filter((migration) => migration.version <= version),
  ).catch((error: Error) => {
    if (error.name !== 'SchemaTooNew') throw error;
    throw faultError(
      'the archive is of an older version, and a newer version used this database: import into an empty database',
    );
  });
}

async function refuseUnlessEmpty(tx: Tx): Promise<void> {
  const isUsed = await tx.value<boolean>(sql`
    select exists (select from account) or exists (select from etch) or exists (select from anchor_tx) as used`);
  if (isUsed) throw faultError('the database is not empty: import into an empty database');
}

async function load(
  tx: Tx,
  manifest: Manifest,
  files: AsyncGenerator<{ name: string; text: string }>,
  keyring: Keyring,
  progress: (what: string) => void,
): Promise<{ rows: number; receipts: number }> {
  const tables = new Map((await listTables(tx)).map((table) => [table.name, table]));
  const unknown = manifest.tables.filter((name) => !tables.has(name));
  if (unknown.length > 0)
    throw inputError(`the archive has tables that its version does not have: ${unknown.join(', ')}`);
  const resume = await suspendSelfReferences(tx);
  // Migrations, or a service that ran for a moment, wrote these rows.
  for (const name of [...manifest.tables].reverse()) await tx.query(raw(`delete from ${quoted(name)}`));
  let rows = 0;
  let receipts = 0;
  let settled: Promise<void> | undefined;
  const settle = async (): Promise<void> => {
    for (const name of manifest.tables) await continueNumbers(tx, tables.get(name)!);
    await resume();
    await checkSecretKeys(tx, keyring);
  };
  for await (const { name, text } of files) {
    const table = TABLE_FILE.exec(name)?.[1];
    if (table !== undefined) {
      rows += await loadRows(tx, tables.get(table), text, name);
      progress('tables');
    } else {
      await (settled ??= settle());
      receipts += await compareReceipts(tx, keyring, name, text);
      progress('receipts');
    }
  }
  await (settled ?? settle());
  const etches = await tx.value<number>(sql`select count(*) as etches from etch`);
  if (etches !== manifest.counts.etches || receipts !== manifest.counts.etches)
    throw inputError('the archive is not complete: it has fewer etches or receipts than its manifest says');
  await tx.query(sql`
    insert into search_queue (etch_ids) select array_agg(id) from (
      select id, (row_number() over (order by created_at, id) - 1) / 200 as page from etch) e group by page order by page`);
  return { rows, receipts };
}

async function loadRows(tx: Tx, table: Table | undefined, text: string, name: string): Promise<number> {
  if (!table) throw inputError(`${name} belongs to no table of this version`);
  const lines = text.split('\n').filter((line) => line !== '');
  await writeRows(tx, table, lines);
  return lines.length;
}

const COMPARED = [
  ...(['etch_id', 'author', 'hash', 'canonical_string', 'inclusion'] as const),
  ...(['revocation', 'signature', 'chain'] as const),
];

/** The proofs must be equal, but the etch may have opened since. @returns 1, for counting */
async function compareReceipts(tx: Tx, keyring: Keyring, name: string, text: string): Promise<number> {
  const kept = JSON.parse(text) as Receipt;
  const [row] = await queryEtches(tx, sql`where e.id = ${kept.etch_id}`);
  if (!row) throw inputError(`${name} is of an etch that is not in the tables`);
  const view = {
    baseUrl: '',
    keyring,
    officialAccounts: new Set<string>(),
    explorerUrl: undefined,
    attestationExplorerUrl: undefined,
  };
  const { chain_id: chainId, attestation_contract: contract, schema_uid: schemaUid } = kept.chain;
  const chain = { ...kept.chain, embedded: false, chainId, contract, schemaUid, publicRpcUrl: '' };
  const now = makeReceipt(row, kept.canonical_string === null ? 0 : Date.now(), view, chain);
  for (const part of COMPARED)
    if (JSON.stringify(now[part]) !== JSON.stringify(kept[part]))
      throw inputError(`${name} and the tables of the archive differ in ${part}`);
  return 1;
}
