import { chmod, mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createRevocationFile } from '../../accounts/key-store.ts';
import { createErasureFile } from '../../acts/erasure-store.ts';
import type { Config } from '../../settings/config.ts';
import { type Manifest, readFacts } from '../archive/tables.ts';
import { exists, withDatabase, inputError, unavailableError, usageError } from '../context.ts';
import { lockDirectory } from '../../db/directory-lock.ts';
import { writeTar } from '../archive/tar-files.ts';
import { databaseUrls } from '../../db/hosts.ts';

export const BACKUP_FORMAT = 'svc-backup:v1';

/** The manifest is written last: without it, a backup is incomplete. */
export interface Backup {
  format: typeof BACKUP_FORMAT;
  made_at: string;
  engine: 'postgres' | 'pglite';
  devnet: boolean;
  schema_version: number;
  counts: Manifest['counts'];
}

interface BackupOptions {
  secrets: string | null;
  tools: PgTools;
}

interface MadeBackup {
  backup: Backup;
  secrets: string | null;
}

/** With PostgreSQL the service may keep running. Secrets go into a separate file, or nowhere. A failed backup leaves no folder. */
export async function makeBackup(
  config: Config,
  folder: string,
  options: BackupOptions,
): Promise<MadeBackup> {
  if (await exists(folder)) throw usageError(`${folder} exists already: name a new folder`);
  if (options.secrets !== null && (await exists(options.secrets)))
    throw usageError(`${options.secrets} exists already`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    return await fillBackup(config, folder, options);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function fillBackup(config: Config, folder: string, options: BackupOptions): Promise<MadeBackup> {
  const { databaseUrl } = config.secrets;
  const facts = await withDatabase(config, (db) => readFacts(db));
  if (databaseUrl !== undefined) {
    const dump = join(folder, 'database.dump');
    const args = [
      '--format=custom',
      '--no-owner',
      '--no-privileges',
      '--exclude-table-data=lease',
      `--file=${dump}`,
    ];
    await runPgTool('pg_dump', args, databaseUrl, options.tools);
    await chmod(dump, 0o600);
  }
  // Written after the dump, so that a restore applies a retraction made in between.
  await withDatabase(config, async (db) => {
    await createErasureFile(db, join(folder, 'erasures.jsonl'))();
    await createRevocationFile(db, join(folder, 'revocations.jsonl'))();
  });
  const embedded = embeddedFolders(config);
  if (embedded.length > 0) await packEmbedded(config, join(folder, 'data.tar.gz'));
  const secrets =
    options.secrets !== null && (await writeSecrets(config, options.secrets)) ? options.secrets : null;
  const backup: Backup = {
    format: BACKUP_FORMAT,
    made_at: facts.now,
    engine: databaseUrl === undefined ? 'pglite' : 'postgres',
    devnet: embedded.includes('devnet'),
    schema_version: facts.schema,
    counts: facts.counts,
  };
  await writeFile(join(folder, 'backup.json'), `${JSON.stringify(backup, null, 2)}\n`, { mode: 0o600 });
  return { backup, secrets };
}

async function writeSecrets(config: Config, file: string): Promise<boolean> {
  const found: Record<string, string> = {};
  for (const name of SECRETS) {
    const path = join(config.dataDir, name);
    if (await exists(path)) found[name] = (await readFile(path, 'utf8')).trim();
  }
  if (Object.keys(found).length === 0) return false;
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(found, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return true;
}

export function embeddedFolders(config: Config): string[] {
  return [
    ...(config.secrets.databaseUrl === undefined ? ['database'] : []),
    ...(config.chain.embedded ? ['devnet'] : []),
  ];
}

export const SECRETS = ['secret-keys', 'devnet/relayer.key'] as const;

/** Skips locks, files of a running process, and secrets. */
const PASSED_OVER =
  /^(database\/lock\.sock.*|database\/postmaster\.pid|devnet\/(relayer\.key|lock\.sock.*|anvil\.pid|state\.json|.*\.new))$/;

async function packEmbedded(config: Config, file: string): Promise<void> {
  const folders: string[] = [];
  for (const name of embeddedFolders(config))
    if (await exists(join(config.dataDir, name))) folders.push(name);
  const locks = [];
  try {
    for (const name of folders) locks.push(await lockDirectory(join(config.dataDir, name)));
    await writeTar(file, async (tar) => {
      const add = async (name: string): Promise<void> => {
        await tar.addFolder(name);
        const entries = await readdir(join(config.dataDir, name), { withFileTypes: true });
        for (const entry of entries) {
          const path = `${name}/${entry.name}`;
          if (PASSED_OVER.test(path)) continue;
          if (entry.isDirectory()) await add(path);
          else if (entry.isFile()) await tar.addFile(path, join(config.dataDir, path));
        }
      };
      for (const name of folders) await add(name);
    });
  } finally {
    for (const lock of locks) await lock.release();
  }
}

const VERSIONS = '/usr/lib/postgresql';

export interface PgTools {
  path: string;
  folder?: string;
}

/** The environment carries the password, because `ps` shows arguments. */
export async function runPgTool(
  name: 'pg_dump' | 'pg_restore',
  args: readonly string[],
  databaseUrl: string,
  tools: PgTools,
): Promise<void> {
  const program = await find(name, tools);
  const { password } = new URL(databaseUrls(databaseUrl)[0]!);
  const url = databaseUrl.replace(/^(postgres(?:ql)?:\/\/[^:@/?#]*):[^@/?#]*@/, '$1@');
  const secret = password === '' ? {} : { PGPASSWORD: decodeURIComponent(password) };
  const env = { PATH: tools.path, LC_ALL: 'C', ...secret };
  await promisify(execFile)(program, [...args, '--no-password', `--dbname=${url}`], {
    env,
    maxBuffer: Infinity,
  }).catch(({ stderr = '', code }: { stderr?: string; code?: unknown }) => {
    throw unavailableError(`${name} failed: ${stderr.slice(-2_000).trim() || `status ${String(code)}`}`);
  });
}

async function find(name: string, { path, folder }: PgTools): Promise<string> {
  const versions = (await readdir(VERSIONS).catch(() => [])).sort((a, b) => Number(b) - Number(a));
  const folders = folder
    ? [folder]
    : [...versions.map((version) => join(VERSIONS, version, 'bin')), ...path.split(delimiter)];
  for (const one of folders) if (one !== '' && (await exists(join(one, name)))) return join(one, name);
  throw inputError(
    `${name} is not found: install PostgreSQL's client programs of the server's version or newer, or give their folder with --pg-bin`,
  );
}
