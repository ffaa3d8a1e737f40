import { setTimeout as sleep } from 'node:timers/promises';
import { AT_FULL_COUNT } from './rounds.ts';

/** How long is waited for what must come, in milliseconds: against what hangs, and not against a machine that much else keeps busy. */
export const PATIENCE_MS = AT_FULL_COUNT ? 360_000 : 90_000;

/** How long something stays sealed, in seconds, where a person or a program must have seen it sealed before it opens. */
export const SEALED_SECONDS = AT_FULL_COUNT ? 120 : 90;

/**
 * How long something stays sealed or open where people must do so many things by hand before it opens, in seconds: each is given
 * several times what the same took a moment ago, for the machine may do more else by then. Nobody is asked twice at full count.
 * @param tookMs one of these things, in milliseconds
 */
export const roomFor = (things: number, tookMs: number): number =>
  Math.ceil(20 + ((AT_FULL_COUNT ? 5 : 2) * things * tookMs) / 1_000);

interface Patience {
  /** how long at most (default a third more than PATIENCE_MS) */
  seconds?: number;
  everyMs?: number;
  /** an error is no answer yet, and is thrown only when none comes */
  despiteErrors?: boolean;
}

/** Asks until the answer is there (no undefined, null or false), and says what it waited for when it never comes. */
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
