import { setTimeout as sleep } from 'node:timers/promises';

interface Patience {
  /** how long at most (default 120) */
  seconds?: number;
  everyMs?: number;
  /** an error is no answer yet, and is thrown only when none comes */
  despiteErrors?: boolean;
}

/** Asks until the answer is there (no undefined, null or false), and says what it waited for when it never comes. */
export async function eventually<T>(
  what: string,
  ask: () => T | undefined | null | false | Promise<T | undefined | null | false>,
  { seconds = 120, everyMs = 100, despiteErrors = false }: Patience = {},
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
