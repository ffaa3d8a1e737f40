import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Clock } from '../db/clock.ts';
import type { Db } from '../db/db.ts';
import type { Config } from '../settings/config.ts';
import { openMaintenance, openSearchPool, openStandbyPool } from './start/database.ts';
import { openRedis } from './start/redis.ts';
import { createStandby, type Standby } from '../platform/standby/standby.ts';

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
