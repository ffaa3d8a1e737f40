import type { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { RateLimited } from '../platform/failure.ts';
import type { SharedCounts } from '../platform/flow/shared-counts.ts';

interface Meter {
  limit: number;
  remaining: number;
  reset: number;
}

export interface RateLimiter {
  take(who: string, points?: number): Promise<Meter>;
  giveBack(who: string, points?: number): Promise<void>;
}

interface RateLimiterOptions {
  name: string;
  limit: number;
  seconds: number;
  /** follows "too many" */
  what: string;
}

export type RateLimiterFactory = (options: RateLimiterOptions) => RateLimiter;

/** `redis` counts for several machines, `siblings` for several processes of this machine. */
export interface CountedBy {
  redis?: Redis | undefined;
  siblings?: SharedCounts | undefined;
}

/** While the store cannot be reached, each process counts alone and `/readyz` reports it. */
export function createRateLimiters({ redis, siblings }: CountedBy): RateLimiterFactory {
  return (options) => {
    const common = { points: options.limit, duration: options.seconds, keyPrefix: `svc:${options.name}` };
    const here = new RateLimiterMemory(common);
    if (redis) {
      const insured = { insuranceLimiter: here, rejectIfRedisNotReady: true };
      return rateLimiter(new RateLimiterRedis({ ...common, storeClient: redis, ...insured }), options);
    }
    return rateLimiter(siblings ? pointsTogether(siblings, options, here) : here, options);
  };
}

type Points = Pick<RateLimiterAbstract, 'consume' | 'reward'>;

function pointsTogether(
  siblings: SharedCounts,
  { name, limit, seconds }: RateLimiterOptions,
  here: Points,
): Points {
  const spend = async (who: string, points: number): Promise<RateLimiterRes | undefined> => {
    const spent = await siblings.spend({ name, limit, seconds, who, points }).catch(() => undefined);
    if (!spent) return undefined;
    const result = new RateLimiterRes(spent.remaining, spent.msBeforeNext);
    // The library's limiters throw their result too.
    // oxlint-disable-next-line typescript/only-throw-error
    if (!spent.passed) throw result;
    return result;
  };
  return {
    consume: async (who, points = 1) => (await spend(String(who), points)) ?? here.consume(who, points),
    reward: async (who, points = 1) => (await spend(String(who), -points)) ?? here.reward(who, points),
  };
}

function rateLimiter(limiter: Points, { limit, seconds, what }: RateLimiterOptions): RateLimiter {
  const exhausted = (msBeforeNext: number): RateLimited => {
    const retryAfter = Math.max(1, Math.ceil(msBeforeNext / 1000));
    return new RateLimited(
      `too many ${what}: at most ${limit} in ${describe(seconds)}, try again in ${retryAfter} s`,
      limit,
      retryAfter,
    );
  };
  return {
    async take(who, points = 1) {
      if (points > limit) throw exhausted(seconds * 1000);
      try {
        const result = await limiter.consume(who, points);
        return { limit, remaining: result.remainingPoints, reset: Math.ceil(result.msBeforeNext / 1000) };
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        if (points > 1) await limiter.reward(who, points);
        throw exhausted(error.msBeforeNext);
      }
    },
    async giveBack(who, points = 1) {
      await limiter.reward(who, points);
    },
  };
}

function describe(seconds: number): string {
  if (seconds === 60) return 'a minute';
  return seconds === 3600 ? 'an hour' : `${seconds} s`;
}
