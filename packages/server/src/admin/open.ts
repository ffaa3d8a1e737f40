import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { privateKeyToAddress } from 'viem/accounts';
import { readIfPresent } from '../chain/devnet/files.ts';
import { type Chain } from '../chain/port.ts';
import type { Db } from '../db/db.ts';
import { isMigrated } from '../db/migrate.ts';
import { openPglite } from '../db/pglite.ts';
import { openPostgres, type PostgresOptions } from '../db/postgres.ts';
import { createKeyring, type Keyring } from '../platform/secrets/keyring.ts';
import { generatedKeys } from '../platform/secrets/secret-keys.ts';
import type { Config } from '../settings/config.ts';
import { openChain } from '../service/start/chain.ts';
import { AdminError, EXIT } from './context.ts';

type Limits = Pick<PostgresOptions, 'statementTimeout' | 'parameters'>;

export const databaseFolder = (config: Config): string => join(config.dataDir, 'database');

/** Does not migrate. An embedded database must be unused. */
export async function openDatabaseAsIs(config: Config, limits: Limits = {}): Promise<Db> {
  const { databaseUrl } = config.secrets;
  if (databaseUrl !== undefined)
    return openPostgres({
      url: databaseUrl,
      pooler: config.databasePooler,
      poolSize: 3,
      statementTimeout: 0,
      ...limits,
    });
  if (!(await exists(join(databaseFolder(config), 'PG_VERSION'))))
    throw new AdminError(
      EXIT.input,
      `there is no database in ${databaseFolder(config)}: set DATA_DIR or DATABASE_URL to the service's value`,
    );
  return openPglite({ dataDir: databaseFolder(config) });
}

export async function withDatabase<T>(
  config: Config,
  work: (db: Db) => Promise<T>,
  limits?: Limits,
): Promise<T> {
  const db = await openDatabaseAsIs(config, limits);
  try {
    if (!(await isMigrated(db).catch(unmigrated)))
      throw new AdminError(
        EXIT.unavailable,
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

/** An embedded chain must be unused. */
export async function withChain<T>(config: Config, work: (chain: Chain) => Promise<T>): Promise<T> {
  const silent = { info: () => {}, warn: () => {} };
  const opened = await openChain(config, silent);
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
    throw new AdminError(
      EXIT.config,
      `SECRET_KEYS is not set, and ${file} does not exist: sealed texts cannot be decrypted`,
    );
  return createKeyring(await generatedKeys(config.dataDir));
}

export async function relayerOf(config: Config): Promise<string | undefined> {
  const { relayerPrivateKey } = config.secrets;
  if (relayerPrivateKey) return privateKeyToAddress(relayerPrivateKey).toLowerCase();
  const stored = (await readIfPresent(join(config.dataDir, 'devnet', 'relayer.key')))?.trim();
  if (!stored || !/^0x[0-9a-f]{64}$/.test(stored)) return undefined;
  return privateKeyToAddress(stored as `0x${string}`).toLowerCase();
}

export function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
