import { Redis } from 'ioredis';
import type { ReadinessPart } from '../vitals/readiness.ts';

/** The shared store of request counts. It is asked with little patience: a request waits for it. */
export function openRedis(url: string, log: { warn(message: string): void }): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    connectTimeout: 2_000,
    commandTimeout: 1_000,
    retryStrategy: (times) => Math.min(200 * times, 2_000),
  });
  let told = false;
  redis.on('error', () => {
    if (!told) log.warn('Redis cannot be reached: each process counts requests by itself until it is back');
    told = true;
  });
  redis.on('ready', () => {
    if (told) log.warn('Redis is back');
    told = false;
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
