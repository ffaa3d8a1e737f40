const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

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

export const DISABLED_AFTER_MS = 72 * HOUR;

/** A slower answer pauses the webhook like a failure. */
export const SLOW_AFTER_MS = 3_000;

/** A longer `Retry-After` would block the webhook's other deliveries. */
const LONGEST_RETRY_AFTER_MS = 24 * HOUR;

const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

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
 * Returns null to give up. The pause is random, so that failed deliveries do not retry together, and never shorter
 * than `Retry-After`.
 */
export function pauseAfter(attempts: number, retryAfterMs: number, chance: number): number | null {
  const pause = PAUSES[attempts - 1];
  if (pause === undefined) return null;
  return Math.max(pause * (0.8 + 0.4 * chance), retryAfterMs);
}

export function breakAfter(failures: number): number {
  return Math.min(2 ** Math.min(failures, 20) * SECOND, 5 * MINUTE);
}
