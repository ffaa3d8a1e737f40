import { ApiError, ConnectionError } from './errors.ts';
import { pause } from './pause.ts';

export interface RetryPolicy {
  /** how often a request is sent at most, the first time included; 5 unless told */
  readonly attempts: number;
  /** milliseconds that one call may spend waiting between attempts; 60,000 unless told */
  readonly maxWaitMs: number;
}

export const RETRY: RetryPolicy = { attempts: 5, maxWaitMs: 60_000 };

const FIRST_PAUSE_MS = 250;

/**
 * Tries until it works, is refused for good, or the policy's bounds are reached; then throws the last error. Waits as
 * long as `Retry-After` says, else twice as long each time with some chance in it, so that many clients do not come back as one.
 * @param repeatable may it be done again when it may have happened already?
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  repeatable: boolean,
  policy: RetryPolicy,
  signal: AbortSignal | undefined,
): Promise<T> {
  let waited = 0;
  for (let made = 1; ; made++) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (made >= policy.attempts || !isWorthRetrying(error, repeatable)) throw error;
      const wait = pauseBefore(error, made);
      if (waited + wait > policy.maxWaitMs) throw error;
      waited += wait;
      await pause(wait, signal);
    }
  }
}

/** A 429 was not carried out; after anything else nobody knows. */
function isWorthRetrying(error: unknown, repeatable: boolean): boolean {
  if (error instanceof ConnectionError) return repeatable || !error.mayHaveHappened;
  if (!(error instanceof ApiError)) return false;
  return error.status === 429 || (repeatable && [502, 503, 504].includes(error.status));
}

function pauseBefore(error: unknown, made: number): number {
  if (error instanceof ApiError && error.retryAfter !== null) return error.retryAfter * 1000;
  return FIRST_PAUSE_MS * 2 ** (made - 1) * (0.5 + Math.random());
}
