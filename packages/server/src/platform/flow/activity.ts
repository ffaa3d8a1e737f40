// Decides whether the service is idle, so that background tasks can pause.
import { setTimeout as sleep } from 'node:timers/promises';

const IDLE_AFTER_MS = 10_000;
/** A reveal is written within a minute (docs/specification.md#states-and-transitions). */
const IDLE_PAUSE_MS = 30_000;

/** @param mayRest false if a different process may make work for this one */
export function createActivity(mayRest: boolean, now = (): number => performance.now()) {
  let touched = now();
  /** set while a task rests: requests come far more often */
  let wake: AbortController | undefined;
  const quietFor = (): number => now() - touched;
  return {
    quietFor,
    touch() {
      touched = now();
      wake?.abort();
      wake = undefined;
    },
    /** Rests longer while idle. The next request or the signal ends the rest. */
    rest: async (milliseconds: number, signal: AbortSignal) => {
      if (!mayRest || quietFor() < IDLE_AFTER_MS || milliseconds >= IDLE_PAUSE_MS)
        return pause(milliseconds, signal);
      wake ??= new AbortController();
      await pause(IDLE_PAUSE_MS, AbortSignal.any([signal, wake.signal]));
    },
  };
}

export type Activity = ReturnType<typeof createActivity>;

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}
