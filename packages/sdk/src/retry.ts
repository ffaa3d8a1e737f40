import { ApiError, ConnectionError } from './errors.ts';
import type { Repeat } from './operations.ts';

export interface RetryPolicy {
  /** including the first; default: 5 */
  readonly attempts: number;
  /** milliseconds for one call; default: 60,000 */
  readonly maxWaitMs: number;
}

export const RETRY: RetryPolicy = { attempts: 5, maxWaitMs: 60_000 };

const FIRST_PAUSE_MS = 250;

/**
 * Waits for `Retry-After`, else for a random time that doubles. Finally throws the last error after which the
 * request may have been carried out, else the last error.
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  repeat: Repeat,
  policy: RetryPolicy,
  signal: AbortSignal | undefined,
): Promise<T> {
  let waited = 0;
  let unsure: unknown;
  for (let made = 1; ; made++) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      // A rejected attempt does not undo an earlier one whose answer was lost.
      if (repeat !== 'always' && !wasNotCarriedOut(error)) unsure = error;
      const last = unsure ?? error;
      if (made >= policy.attempts || !isWorthRetrying(error, repeat)) throw last;
      const wait = pauseBefore(error, made);
      if (waited + wait > policy.maxWaitMs) throw last;
      waited += wait;
      await pause(wait, signal);
    }
  }
}

/** A read that failed with 500 would fail again. */
const REPEATED: Readonly<Record<Repeat, readonly number[]>> = {
  always: [502, 503, 504],
  'with-key': [500, 502, 503, 504],
  never: [],
};

/** A 429 was not carried out; after other errors the request may have been. */
function isWorthRetrying(error: unknown, repeat: Repeat): boolean {
  if (error instanceof ConnectionError) return repeat !== 'never' || !error.mayHaveHappened;
  if (!(error instanceof ApiError)) return false;
  return error.status === 429 || REPEATED[repeat].includes(error.status);
}

const wasNotCarriedOut = (error: unknown): boolean =>
  error instanceof ConnectionError
    ? !error.mayHaveHappened
    : error instanceof ApiError && error.status === 429;

function pauseBefore(error: unknown, made: number): number {
  if (error instanceof ApiError && error.retryAfter !== null) return error.retryAfter * 1000;
  return FIRST_PAUSE_MS * 2 ** (made - 1) * (0.5 + Math.random());
}

/** After an hour the caller reads the clock again. */
export const LONGEST_PAUSE_MS = 3_600_000;

/** @throws the signal's reason when it is aborted */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the caller's own reason
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    if (signal?.aborted === true) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
