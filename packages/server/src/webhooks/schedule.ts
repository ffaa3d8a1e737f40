const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long after each failed attempt the next one comes; after the last attempt, the eleventh, an event is given up. */
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

/** A url that answers nothing good for so long is not sent to any more. */
export const DISABLED_AFTER_MS = 72 * HOUR;

/** A receiver that takes longer is slow: its answer counts, and it is sent nothing more for a while, as if it had failed. */
export const SLOW_AFTER_MS = 3_000;

/** What a receiver may ask for; more would keep what else waits for it from ever being tried. */
const LONGEST_ASKED_FOR_MS = 24 * HOUR;

const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** How long a `Retry-After` asks to be left alone, by its seconds or its date; 0 where it says nothing that holds. */
export function askedFor(header: string | undefined, now: number): number {
  const text = header?.trim() ?? '';
  const asked = /^\d+$/.test(text)
    ? Number(text) * SECOND
    : HTTP_DATE.test(text)
      ? Date.parse(text) - now
      : 0;
  return Number.isNaN(asked) ? 0 : Math.min(Math.max(asked, 0), LONGEST_ASKED_FOR_MS);
}

/**
 * When to try a delivery again, in milliseconds from now, or null to give it up. With some chance in it, so that what failed
 * together does not come back together; a receiver that names a time is not asked before it.
 */
export function pauseAfter(attempts: number, askedForMs: number, chance: number): number | null {
  const pause = PAUSES[attempts - 1];
  if (pause === undefined) return null;
  return Math.max(pause * (0.8 + 0.4 * chance), askedForMs);
}

/** How long a webhook is sent nothing after so many failures or slow answers in a row, even if more events are due. */
export function breakAfter(failures: number): number {
  return Math.min(2 ** Math.min(failures, 20) * SECOND, 5 * MINUTE);
}
