import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { RateLimited } from '../failure.ts';

/** What is left of a limit after a request was counted; times in whole seconds. */
export interface Meter {
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

/** `limit` requests in `seconds` for each `who`. `what` completes the message: "too many …". */
export function createRateLimiter(options: { limit: number; seconds: number; what: string }): RateLimiter {
  const { limit, seconds, what } = options;
  const limiter = new RateLimiterMemory({ points: limit, duration: seconds });
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
