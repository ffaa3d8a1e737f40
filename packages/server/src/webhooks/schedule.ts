const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delay after each failed attempt; after the eleventh attempt the event is given up. */
const PAUSES = [
  5 * SECOND,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** A webhook whose deliveries all fail for this long is disabled. */
export const DISABLED_AFTER_MS = 72 * HOUR;

/** A slower answer counts, but pauses the webhook as a failure does. */
export const SLOW_AFTER_MS = 3_000;

/** The longest accepted `Retry-After`; a longer one would block the other deliveries of the webhook. */
const LONGEST_RETRY_AFTER_MS = 24 * HOUR;

const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** The delay of a `Retry-After` header in seconds or as a date; 0 if it is invalid. */
export function readRetryAfter(header: string | undefined, now: number): number {
  const text = header?.trim() ?? '';
  const milliseconds = /^\d+$/.test(text)
    ? Number(text) * SECOND
    : HTTP_DATE.test(text)
      ? Date.parse(text) - now
      : 0;
  return Number.isNaN(milliseconds) ? 0 : Math.min(Math.max(milliseconds, 0), LONGEST_RETRY_AFTER_MS);
}

/**
 * Milliseconds until the next attempt, or null to give up. Random, so that deliveries that failed together do not
 * retry together, and never earlier than the receiver's `Retry-After`.
 */
export function pauseAfter(attempts: number, retryAfterMs: number, chance: number): number | null {
  const pause = PAUSES[attempts - 1];
  if (pause === undefined) return null;
  return Math.max(pause * (0.8 + 0.4 * chance), retryAfterMs);
}

/** How long nothing is sent to a webhook after this many consecutive failures or slow answers. */
export function breakAfter(failures: number): number {
  return Math.min(2 ** Math.min(failures, 20) * SECOND, 5 * MINUTE);
}
