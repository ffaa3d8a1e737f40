import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Clock } from '../db/clock.ts';
import type { Db } from '../db/db.ts';
import type { Config } from '../settings/config.ts';
import { openMaintenance, openSearchPool, openStandbyPool } from './start/database.ts';
import { createStandby, type Standby } from '../platform/standby/standby.ts';
import { networkCause } from '../db/failures.ts';
import type { ReadinessPart } from '../vitals/readiness.ts';

/** Reveals and retractions count at once anyway (docs/decisions/0023-standbys-answer-lists.md). */
const STANDBY_MAX_AGE_MS = 5_000;

export interface Connections {
  search: Db | undefined;
  /** without a statement timeout */
  maintenance: Db | undefined;
  /** for lists, while it is fresh enough */
  standby: Standby | undefined;
  pools: Readonly<Record<string, Db | undefined>>;
  redis: Redis | undefined;
  close(): Promise<void>;
}

export function openConnections(config: Config, db: Db, clock: Clock, log: Logger): Connections {
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
        log: log.child({ room: 'standby' }),
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
