import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Spending, Spent } from '../../platform/flow/shared-counts.ts';

export function createCounts(): (spendings: readonly Spending[]) => Promise<Spent[]> {
  const limiters = new Map<string, RateLimiterMemory>();
  const limiterOf = ({ name, limit, seconds }: Spending): RateLimiterMemory => {
    let limiter = limiters.get(name);
    if (!limiter) limiters.set(name, (limiter = new RateLimiterMemory({ points: limit, duration: seconds })));
    return limiter;
  };
  return (spendings) =>
    Promise.all(
      spendings.map(async (spending) => {
        const limiter = limiterOf(spending);
        const { who, points } = spending;
        try {
          const result = await (points < 0 ? limiter.reward(who, -points) : limiter.consume(who, points));
          return toSpent(true, result);
        } catch (error) {
          if (error instanceof RateLimiterRes) return toSpent(false, error);
          throw error;
        }
      }),
    );
}

function toSpent(passed: boolean, { remainingPoints, msBeforeNext }: RateLimiterRes): Spent {
  return { passed, remaining: remainingPoints, msBeforeNext };
}
