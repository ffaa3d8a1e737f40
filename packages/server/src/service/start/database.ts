import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, DatabaseUnavailable } from '../../db/db.ts';
import { migrate } from '../../db/migrate.ts';
import { openPglite } from '../../db/pglite.ts';
import { openPostgres } from '../../db/postgres.ts';
import type { Config } from '../../settings/config.ts';
import type { StartLog } from './chain.ts';

const PATIENCE_MS = 30_000;

export async function openDatabase(config: Config, log: StartLog): Promise<Db> {
  const db = await connect(config, log);
  try {
    await migrateWhenReachable(db, log);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

async function connect(config: Config, log: StartLog): Promise<Db> {
  const { databasePooler: pooler, databasePoolSize: poolSize } = config;
  const { databaseUrl: url } = config.secrets;
  if (url !== undefined) return openPostgres({ url, pooler, poolSize });
  const dataDir = join(config.dataDir, 'database');
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  log.warn(
    `embedded database in ${dataDir}: it survives crashes of the service but not power cuts; set DATABASE_URL for more`,
  );
  return openPglite({ dataDir });
}

const SEARCH_POOL_SIZE = 4;

/** The memory sorts the matches of a common word; JIT costs more than it saves. */
const SEARCH_SESSIONS = { work_mem: '32MB', jit: 'off' };

/** Leaves the other connections to writes. */
export function openSearchPool({ secrets, databasePooler, searchTimeoutMs }: Config): Db | undefined {
  if (secrets.databaseUrl === undefined) return undefined;
  return openPostgres({
    url: secrets.databaseUrl,
    pooler: databasePooler,
    poolSize: SEARCH_POOL_SIZE,
    statementTimeout: searchTimeoutMs,
    parameters: SEARCH_SESSIONS,
  });
}

export function openStandbyPool({ secrets, databasePooler, searchTimeoutMs }: Config): Db | undefined {
  if (secrets.databaseReadUrl === undefined) return undefined;
  return openPostgres({
    url: secrets.databaseReadUrl,
    standby: true,
    pooler: databasePooler,
    poolSize: SEARCH_POOL_SIZE,
    statementTimeout: searchTimeoutMs,
    parameters: SEARCH_SESSIONS,
  });
}

export function openMaintenance({ secrets, databasePooler: pooler }: Config): Db | undefined {
  if (secrets.databaseUrl === undefined) return undefined;
  return openPostgres({ url: secrets.databaseUrl, pooler, poolSize: 1, statementTimeout: 0 });
}

/** The database may still be starting. */
async function migrateWhenReachable(db: Db, log: StartLog): Promise<void> {
  const giveUp = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await migrate(db, undefined, ({ version, name }) =>
        log.info(`migration ${name} applied: the schema is ${version}`),
      );
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || error.permanent || Date.now() > giveUp) throw error;
      log.warn(`${error.reason ?? error.message}: trying again`);
      await sleep(1_000);
    }
  }
}
