import { setTimeout as sleep } from 'node:timers/promises';

/** After so many milliseconds without a request the service counts as idle. */
const IDLE_AFTER_MS = 10_000;
/** Tasks of an idle service run this often, milliseconds: a reveal is still written within a minute (docs/specification.md#states-and-transitions). */
const IDLE_PAUSE_MS = 30_000;

/** Whether anyone uses the service, so that an idle one can rest. */
export interface Activity {
  /** A request came. Ends every rest. */
  touch(): void;
  /** milliseconds since the last request */
  quietFor(): number;
  /**
   * Waits so many milliseconds; longer while the service is idle, until the next request at the latest. Returns at once when the signal
   * aborts.
   */
  rest: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** @param mayRest false where another process may make work for this one */
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
