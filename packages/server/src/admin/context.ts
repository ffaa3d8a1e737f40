// Used by every command of svc-admin: output, exit status, and opening the database, the chain and the keys.
import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeInvisible, escapeInvisibleInLine, escapeInvisibleInJson } from '@svc/protocol';
import { privateKeyToAddress } from 'viem/accounts';
import type { Config } from '../settings/config.ts';
import type { Environment } from '../settings/environment.ts';
import { AnotherChain } from '../anchoring/index.ts';
import { type Chain, ChainUnavailable, WrongSetting } from '../chain/port.ts';
import { DatabaseUnavailable, type Db } from '../db/db.ts';
import { DirectoryInUse } from '../db/directory-lock.ts';
import { generatedKeys, WrongSecretKeys } from '../platform/secrets/secret-keys.ts';
import { ConfigError } from '../settings/read-config.ts';
import { readIfPresent } from '../db/files.ts';
import { isMigrated } from '../db/migrate.ts';
import { openPglite } from '../db/pglite.ts';
import { openPostgres, type PostgresOptions } from '../db/postgres.ts';
import { createKeyring, type Keyring } from '../platform/secrets/keyring.ts';
import { openChain } from '../service/start/chain.ts';

export interface AdminContext {
  config(): Config;
  environment(): Environment;
  path: string;
  out(text: string): void;
  note(text: string): void;
  finish(status: number): void;
}

export type Line = string | false;

/** The context of a command. */
export interface Admin extends AdminContext {
  /** prints the result with --json, else the lines that are not false; a fault ends with status 1 */
  print(result: object, lines: readonly Line[], isFault?: boolean): void;
  /** shows how far the work is, every two seconds, but not with --json */
  progress(text: string): void;
}

const TELL_EVERY_MS = 2_000;

export function adminOf(context: AdminContext, isJson: () => boolean): Admin {
  let reportedAt = performance.now();
  return {
    ...context,
    print(result, lines, isFault = false) {
      const shown = isJson()
        ? `${escapeInvisibleInJson(JSON.stringify(result, null, 2))}\n`
        : lines.map((line) => (line === false ? '' : `${escapeInvisibleInLine(line)}\n`)).join('');
      context.out(shown);
      if (isFault) context.finish(EXIT.fault);
    },
    progress(text) {
      if (isJson() || performance.now() - reportedAt < TELL_EVERY_MS) return;
      reportedAt = performance.now();
      context.note(`${text}\n`);
    },
  };
}

export const EXIT = {
  fine: 0,
  /** fault found, or request rejected */
  fault: 1,
  /** the chain did not answer, so the check is incomplete */
  unknown: 2,
  usage: 64,
  input: 66,
  unavailable: 69,
  defect: 70,
  config: 78,
} as const;

export class AdminError extends Error {
  override name = 'AdminError';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const errorOf =
  (status: number) =>
  (message: string): AdminError =>
    new AdminError(status, message);
export const faultError = errorOf(EXIT.fault);
export const unknownError = errorOf(EXIT.unknown);
export const usageError = errorOf(EXIT.usage);
export const inputError = errorOf(EXIT.input);
export const unavailableError = errorOf(EXIT.unavailable);
export const configError = errorOf(EXIT.config);

/** Errors of a node, a database or a file become one line. */
export function explain(error: unknown): { text: string; code: number } {
  if (error instanceof AdminError) return { text: escapeInvisible(error.message), code: error.status };
  if (error instanceof ConfigError)
    return { text: escapeInvisible(`setting: ${error.problems.join('\nsetting: ')}`), code: EXIT.config };
  if (error instanceof DirectoryInUse)
    return {
      text: 'the service runs on this DATA_DIR, and only one process can use its embedded parts: stop the service first',
      code: EXIT.unavailable,
    };
  if (error instanceof DatabaseUnavailable)
    return {
      text: escapeInvisibleInLine(error.reason ?? `DATABASE_URL: ${error.message}`),
      code: error.permanent ? EXIT.config : EXIT.unavailable,
    };
  if (error instanceof WrongSecretKeys || error instanceof AnotherChain || error instanceof WrongSetting)
    return { text: escapeInvisible(error.message), code: EXIT.config };
  const message = error instanceof Error ? escapeInvisibleInLine(error.message) : 'failed';
  return error instanceof ChainUnavailable
    ? { text: `the chain (CHAIN_RPC_URL) does not answer: ${message}`, code: EXIT.unknown }
    : { text: message, code: EXIT.defect };
}

type SessionLimits = Pick<PostgresOptions, 'statementTimeout' | 'parameters'>;

/** Creates an embedded database that does not exist. */
export async function openOrCreate(config: Config, limits: SessionLimits = {}): Promise<Db> {
  const { databasePooler: pooler, secrets } = config;
  const { databaseUrl: url } = secrets;
  if (url !== undefined) return openPostgres({ url, pooler, poolSize: 3, statementTimeout: 0, ...limits });
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  return openPglite({ dataDir: databaseFolder(config) });
}

export const databaseFolder = (config: Config): string => join(config.dataDir, 'database');

/** Does not migrate. An embedded database must be unused. */
export async function openDatabaseAsIs(config: Config, limits: SessionLimits = {}): Promise<Db> {
  if (config.secrets.databaseUrl === undefined && !(await exists(join(databaseFolder(config), 'PG_VERSION'))))
    throw inputError(
      `there is no database in ${databaseFolder(config)}: set DATA_DIR or DATABASE_URL to the service's value`,
    );
  return openOrCreate(config, limits);
}

export async function withDatabase<T>(
  config: Config,
  work: (db: Db) => Promise<T>,
  limits?: SessionLimits,
): Promise<T> {
  const db = await openDatabaseAsIs(config, limits);
  try {
    if (!(await isMigrated(db).catch(unmigrated)))
      throw unavailableError(
        'the database has the schema of a different version: start a service of the same version as this program once',
      );
    return await work(db);
  } finally {
    await db.close();
  }
}

function unmigrated(error: unknown): boolean {
  if ((error as { code?: unknown }).code === '42P01') return false;
  throw error;
}

export const SILENT = { info: () => {}, warn: () => {} };

/** An embedded chain must be unused. */
export async function withChain<T>(config: Config, work: (chain: Chain) => Promise<T>): Promise<T> {
  const opened = await openChain(config, SILENT);
  try {
    return await work(opened.chain);
  } finally {
    await opened.stop();
  }
}

/** Never generates a key. */
export async function openKeyring(config: Config): Promise<Keyring> {
  if (config.secrets.keys) return createKeyring(config.secrets.keys);
  const file = join(config.dataDir, 'secret-keys');
  if (!(await exists(file)))
    throw configError(`SECRET_KEYS is not set, and ${file} does not exist: sealed texts cannot be decrypted`);
  return createKeyring(await generatedKeys(config.dataDir));
}

export async function relayerOf(config: Config): Promise<string | undefined> {
  const { relayerPrivateKey } = config.secrets;
  if (relayerPrivateKey) return privateKeyToAddress(relayerPrivateKey).toLowerCase();
  const stored = (await readIfPresent(join(config.dataDir, 'devnet', 'relayer.key')))?.trim();
  if (!stored || !/^0x[0-9a-f]{64}$/.test(stored)) return undefined;
  return privateKeyToAddress(stored as `0x${string}`).toLowerCase();
}

/** @param mode what this user must be allowed, as in `fs.constants` */
export function exists(path: string, mode?: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}

export async function refuseMissing(files: readonly string[]): Promise<void> {
  for (const file of files) if (!(await exists(file))) throw inputError(`there is no file ${file}`);
}

/** Reads rows page by page, each page after the last row of the one before. */
export async function* inPages<Row>(
  atOnce: number,
  read: (last: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let rows: Row[] = [];
  do {
    rows = await read(rows.at(-1));
    if (rows.length > 0) yield rows;
  } while (rows.length === atOnce);
}
