import { setTimeout as sleep } from 'node:timers/promises';

/** Asks until the answer is there (neither undefined nor false), and says what it waited for when it never comes. */
export async function eventually<T>(
  what: string,
  ask: () => T | undefined | false | Promise<T | undefined | false>,
  { seconds = 120, everyMs = 100 }: { seconds?: number; everyMs?: number } = {},
): Promise<T> {
  const until = performance.now() + seconds * 1000;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > until) throw new Error(`waited ${seconds} s in vain: ${what}`);
    await sleep(everyMs);
  }
}
