import { setTimeout as sleep } from 'node:timers/promises';

const IDLE_AFTER_MS = 10_000;
/** A reveal is written within a minute (docs/specification.md#states-and-transitions). */
const IDLE_PAUSE_MS = 30_000;

export interface Activity {
  touch(): void;
  quietFor(): number;
  /** Rests longer while idle. The next request or the signal ends the rest. */
  rest: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** @param mayRest false if a different process may make work for this one */
export function createActivity(mayRest: boolean, now = (): number => performance.now()): Activity {
  let touched = now();
  let wake = new AbortController();
  const quietFor = (): number => now() - touched;
  return {
    quietFor,
    touch() {
      touched = now();
      wake.abort();
      wake = new AbortController();
    },
    async rest(milliseconds, signal) {
      if (!mayRest || quietFor() < IDLE_AFTER_MS || milliseconds >= IDLE_PAUSE_MS)
        return pause(milliseconds, signal);
      await pause(IDLE_PAUSE_MS, AbortSignal.any([signal, wake.signal]));
    },
  };
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}
