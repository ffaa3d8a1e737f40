import { Redis } from 'ioredis';
import { networkCause } from '../../db/failures.ts';
import type { ReadinessPart } from '../../vitals/readiness.ts';

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
