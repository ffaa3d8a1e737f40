import { setImmediate } from 'node:timers/promises';

/** For so long work holds the event loop before everybody else has a turn. */
const PORTION_MS = 2;

/**
 * Does work that may be laid down wherever it yields, a few milliseconds at a time.
 * @param now milliseconds, of a clock that only ascends
 */
export async function inPortions<Value>(
  work: Iterator<undefined, Value, undefined>,
  now: () => number = () => performance.now(),
): Promise<Value> {
  let since = now();
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (now() - since < PORTION_MS) continue;
    await setImmediate();
    since = now();
  }
}
