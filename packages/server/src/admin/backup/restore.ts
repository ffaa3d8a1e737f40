import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sql from 'sql-template-tag';
import { replayRevocations } from '../../accounts/key-store.ts';
import { replayErasures } from '../../acts/erasure-store.ts';
import { vacuumErased } from '../../acts/vacuum.ts';
import { migrate } from '../../db/migrate.ts';
import { refuseLackingKeys } from '../../platform/secrets/secret-keys.ts';
import { ensureLedger } from '../../platform/flow/ledger-file.ts';
import type { Config } from '../../settings/config.ts';
import { unpackTar } from '../archive/tar-files.ts';
import { exists, openDatabaseAsIs, openKeyring, configError, faultError, inputError } from '../context.ts';
import { type Backup, BACKUP_FORMAT, embeddedFolders, type PgTools, runPgTool, SECRETS } from './backup.ts';

/** Applies every erasure and revocation of all ledgers again. */
export async function restoreBackup(
  config: Config,
  folder: string,
  options: {
    secrets: string | null;
    erasures: readonly string[];
    revocations: readonly string[];
    tools: PgTools;
  },
) {
  const backup = await readBackup(folder);
  const { databaseUrl } = config.secrets;
  if ((backup.engine === 'postgres') !== (databaseUrl !== undefined))
    throw configError(
      `the backup is of ${backup.engine === 'postgres' ? 'PostgreSQL: set DATABASE_URL' : 'the embedded database: unset DATABASE_URL'} (export and import move between the two)`,
    );
  for (const name of embeddedFolders(config))
    if (await exists(join(config.dataDir, name)))
      throw faultError(`${join(config.dataDir, name)} exists: move it away, or set a different DATA_DIR`);
  if (databaseUrl !== undefined) await refuseUnlessEmpty(config);

  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  if (options.secrets !== null) await readSecrets(config, options.secrets);
  if (await exists(join(folder, 'data.tar.gz'))) await unpackTar(join(folder, 'data.tar.gz'), config.dataDir);
  if (databaseUrl !== undefined) {
    const args = [
      '--no-owner',
      '--no-privileges',
      '--single-transaction',
      '--exit-on-error',
      join(folder, 'database.dump'),
    ];
    await runPgTool('pg_restore', args, databaseUrl, options.tools);
  }
  const db = await openDatabaseAsIs(config);
  try {
    await migrate(db);
    await refuseLackingKeys(db, await openKeyring(config));
    const erasures = await present([config.erasureLedger, ...options.erasures]);
    const newer = await present([config.revocationLedger, ...options.revocations]);
    const revocations = await addedUp([join(folder, 'revocations.jsonl'), ...newer], (ledger) =>
      replayRevocations(db, ledger),
    );
    // The next restore requires the files, even without entries.
    await ensureLedger(config.erasureLedger);
    await ensureLedger(config.revocationLedger);
    // A person who signed out since must not be signed in again, and no ended sign-in of a program may return.
    await db.query(sql`delete from web_session`);
    await db.query(sql`delete from issuer_grant`);
    const replayed = await addedUp([join(folder, 'erasures.jsonl'), ...erasures], (ledger) =>
      replayErasures(db, ledger),
    );
    if (replayed.erased + replayed.takenDown > 0) await vacuumErased(db);
    return {
      backup,
      revocations,
      newerRevocations: newer.length > 0,
      newerErasures: erasures.length > 0,
      erasures: replayed,
    };
  } finally {
    await db.close();
  }
}

/** Replays all ledgers and adds up their counts. */
export async function addedUp<Counts extends object>(
  ledgers: readonly string[],
  replay: (ledger: string) => Promise<Counts>,
): Promise<Counts> {
  const total: Record<string, number> = {};
  for (const ledger of ledgers)
    for (const [name, count] of Object.entries(await replay(ledger)))
      total[name] = (total[name] ?? 0) + (count as number);
  return total as Counts;
}

async function present(files: readonly string[]): Promise<string[]> {
  const found = await Promise.all(files.map((file) => exists(file)));
  return files.filter((_, at) => found[at]);
}

async function readBackup(folder: string): Promise<Backup> {
  const text = await readFile(join(folder, 'backup.json'), 'utf8').catch(() => undefined);
  if (text === undefined)
    throw inputError(`${folder} has no backup.json: it is no backup, or an unfinished one`);
  const backup = JSON.parse(text) as Omit<Backup, 'format'> & { format?: unknown };
  if (backup.format !== BACKUP_FORMAT)
    throw inputError(`${folder} is no backup of the format ${BACKUP_FORMAT}`);
  return { ...backup, format: BACKUP_FORMAT };
}

async function refuseUnlessEmpty(config: Config): Promise<void> {
  const db = await openDatabaseAsIs(config);
  try {
    const rows = await db.query(sql`
      select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = current_schema() and c.relkind = 'r' limit 1`);
    if (rows.length > 0) throw faultError('the database has tables: restore into an empty one (createdb)');
  } finally {
    await db.close();
  }
}

/** Never overwrites existing secrets. */
async function readSecrets(config: Config, file: string): Promise<void> {
  const found = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  for (const name of SECRETS) {
    const value = found[name];
    if (typeof value !== 'string') continue;
    const path = join(config.dataDir, name);
    const present = await readFile(path, 'utf8').catch(() => undefined);
    if (present !== undefined && present.trim() !== value)
      throw faultError(`${path} contains a different secret than ${file}: move it away`);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, `${value}\n`, { mode: 0o600 });
  }
}
