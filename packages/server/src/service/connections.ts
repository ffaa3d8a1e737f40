import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Clock } from '../db/clock.ts';
import { DatabaseUnavailable, type Db } from '../db/db.ts';
import type { Config } from '../settings/config.ts';
import { createStandby } from '../platform/standby/standby.ts';
import { networkCause } from '../db/failures.ts';
import type { ReadinessPart } from '../vitals/readiness.ts';
import { migrate } from '../db/migrate.ts';
import { openPglite } from '../db/pglite.ts';
import { openPostgres } from '../db/postgres.ts';
import { checkSession } from '../db/sessions.ts';
import type { StartLog } from './start/chain.ts';

/** Reveals and retractions count at once anyway (docs/decisions/0023-standbys-answer-lists.md). */
const STANDBY_MAX_AGE_MS = 5_000;

/** `search` and `maintenance` are undefined with the embedded database; `maintenance` has no statement timeout. */
export type Connections = ReturnType<typeof openConnections>;

export function openConnections(config: Config, db: Db, clock: Clock, log: Logger) {
  const search = openSearchPool(config);
  const maintenance = openMaintenance(config);
  const standbyPool = openStandbyPool(config);
  const { redisUrl } = config.secrets;
  const redis =
    redisUrl === undefined ? undefined : openRedis(redisUrl, { warn: (message) => log.warn(message) });
  return {
    search,
    maintenance,
    standby:
      standbyPool &&
      createStandby({
        primary: db,
        standby: standbyPool,
        clock,
        maxAge: STANDBY_MAX_AGE_MS,
        log: log.child({ module: 'standby' }),
      }),
    pools: { main: db, search, standby: standbyPool, maintenance },
    redis,
    async close() {
      redis?.disconnect();
      await search?.close();
      await standbyPool?.close();
      await maintenance?.close();
    },
  };
}

/** The timeout is short because requests wait for the answer. */
export function openRedis(url: string, log: { warn(message: string): void }): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    connectTimeout: 2_000,
    commandTimeout: 1_000,
    retryStrategy: (times) => Math.min(200 * times, 2_000),
  });
  const { host } = new URL(url);
  let logged: string | undefined;
  redis.on('error', (error) => {
    const reason = networkCause(error) ?? error.message;
    if (reason !== logged)
      log.warn(
        `REDIS_URL: ${host} cannot be used: ${reason}; each process counts requests by itself until it is back`,
      );
    logged = reason;
  });
  redis.on('ready', () => {
    if (logged !== undefined) log.warn(`REDIS_URL: ${host} is back`);
    logged = undefined;
  });
  return redis;
}

export function redisReadiness(redis: Redis): ReadinessPart {
  return {
    name: 'redis',
    check: async () =>
      redis.status === 'ready' && (await redis.ping()) === 'PONG' ? undefined : 'cannot be reached',
  };
}

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

/** The memory sorts the matches of a common word; JIT costs more than it saves. */
const searches = ({ databasePooler: pooler, searchTimeoutMs: statementTimeout }: Config) => ({
  pooler,
  statementTimeout,
  poolSize: 4,
  parameters: { work_mem: '32MB', jit: 'off' },
});

export function openSearchPool(config: Config): Db | undefined {
  const { databaseUrl: url } = config.secrets;
  return url === undefined ? undefined : openPostgres({ ...searches(config), url });
}

function openStandbyPool(config: Config): Db | undefined {
  const { standbyPooler: pooler, secrets } = config;
  const { databaseReadUrl: url } = secrets;
  return url === undefined ? undefined : openPostgres({ ...searches(config), pooler, url, standby: true });
}

function openMaintenance({ secrets: { databaseUrl: url }, databasePooler: pooler }: Config): Db | undefined {
  return url === undefined ? undefined : openPostgres({ url, pooler, poolSize: 1, statementTimeout: 0 });
}

/** The database may still be starting. */
async function migrateWhenReachable(db: Db, log: StartLog): Promise<void> {
  const giveUp = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      if (db.engine === 'postgres') await checkSession(db);
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
