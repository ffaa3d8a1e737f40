import type { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { RateLimited } from '../errors/failure.ts';

/** What is left of a limit after a request was counted; times in whole seconds. */
interface Meter {
  limit: number;
  remaining: number;
  reset: number;
}

export interface RateLimiter {
  /** Counts one. @throws RateLimited */
  take(who: string, points?: number): Promise<Meter>;
  /** Takes a count back, for what failed and so spent nothing. */
  giveBack(who: string, points?: number): Promise<void>;
}

interface RateLimiterOptions {
  /** tells the limiters of one store apart */
  name: string;
  limit: number;
  seconds: number;
  /** completes the message: "too many …" */
  what: string;
}

/** Makes limiters that count together with other processes in Redis, or in this process alone. */
export type RateLimiterFactory = (options: RateLimiterOptions) => RateLimiter;

/**
 * Without Redis each process counts by itself. A Redis that cannot be reached is bridged by counting here, so that
 * requests go on and limits still hold for each process; `/readyz` says so.
 */
export function createRateLimiters(redis: Redis | undefined): RateLimiterFactory {
  return (options) => {
    const common = { points: options.limit, duration: options.seconds, keyPrefix: `svc:${options.name}` };
    const here = new RateLimiterMemory(common);
    const limiter = redis
      ? new RateLimiterRedis({
          ...common,
          storeClient: redis,
          insuranceLimiter: here,
          rejectIfRedisNotReady: true,
        })
      : here;
    return rateLimiter(limiter, options);
  };
}

function rateLimiter(
  limiter: RateLimiterAbstract,
  { limit, seconds, what }: RateLimiterOptions,
): RateLimiter {
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
        // The limiter counts what it refuses; several at once could be refused though fewer would still pass.
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
