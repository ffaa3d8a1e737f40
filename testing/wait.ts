import { setTimeout as sleep } from 'node:timers/promises';
import { AT_FULL_COUNT } from './rounds.ts';
import { SLOWNESS } from './speed.ts';

/** How long a test waits for something that must happen, in milliseconds. It ends a test that hangs, not one on a busy machine. */
export const PATIENCE_MS = Math.ceil((AT_FULL_COUNT ? 360_000 : 120_000) * SLOWNESS);

/** A limit for a machine at rest, in any unit, as it is on this one. */
export const patient = (limit: number): number => Math.ceil(limit * SLOWNESS);

/**
 * A time that many seconds from now, longer on a slow machine: for a text that the test must see sealed before it opens, where the
 * test cannot move the clock of the service (testing/system/movable-clock.ts).
 */
export const inSeconds = (seconds: number): string =>
  new Date(Date.now() + patient(seconds) * 1_000).toISOString();

interface Patience {
  /** the limit (default: a third more than PATIENCE_MS) */
  seconds?: number;
  everyMs?: number;
  /** an error counts as no answer yet; the last one is the cause when the limit is reached */
  despiteErrors?: boolean;
}

/** Calls `ask` until it returns something other than undefined, null or false. At the limit it throws and names `what`. */
export async function eventually<T>(
  what: string,
  ask: () => T | undefined | null | false | Promise<T | undefined | null | false>,
  { seconds = (PATIENCE_MS * 4) / 3_000, everyMs = 100, despiteErrors = false }: Patience = {},
): Promise<T> {
  const until = performance.now() + seconds * 1000;
  for (;;) {
    let cause: unknown;
    try {
      const answer = await ask();
      if (answer !== undefined && answer !== null && answer !== false) return answer;
    } catch (error) {
      if (!despiteErrors) throw error;
      cause = error;
    }
    if (performance.now() > until) throw new Error(`waited ${seconds} s in vain: ${what}`, { cause });
    await sleep(everyMs);
  }
}
