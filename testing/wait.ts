import { setTimeout as sleep } from 'node:timers/promises';
import { AT_FULL_COUNT } from './rounds.ts';
import { SLOWNESS } from './speed.ts';

/** For one step on a page. A word that the page no longer has ends its test after this time. */
export const PAGE_PATIENCE_MS = Math.ceil(120_000 * SLOWNESS);
/** Ends a test that hangs, but not one on a busy machine. */
export const PATIENCE_MS = PAGE_PATIENCE_MS * (AT_FULL_COUNT ? 3 : 1);

export const patient = (limit: number): number => Math.ceil(limit * SLOWNESS);

/** For a test that must see a sealed text and cannot move the service's clock (testing/system/movable-clock.ts). */
export const inSeconds = (seconds: number): string =>
  new Date(Date.now() + patient(seconds) * 1_000).toISOString();

interface Patience {
  /** default: a third more than PATIENCE_MS */
  seconds?: number;
  everyMs?: number;
  despiteErrors?: boolean;
}

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
