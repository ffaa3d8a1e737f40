import { setImmediate } from 'node:timers/promises';

/** For so long work holds the event loop before everybody else has a turn, milliseconds. */
const PORTION = 2;
/** So much at most where it has a share: half of what may ever hold the event loop (docs/performance.md#stalls). */
const LONGEST_PORTION = 10;

interface Pace {
  /**
   * For work that must keep up with the others: the next portion is so large a part of what their last turn took, where that is
   * more than two milliseconds. Only one such work runs at a time, or their portions would lengthen each other.
   */
  share?: number;
  /** milliseconds, of a clock that only ascends */
  now?: () => number;
}

/**
 * Does work that may be laid down wherever it yields, a few milliseconds at a time; where it yields true, what comes next is long, and
 * others have their turn before it.
 */
export async function inPortions<Value>(
  work: Iterator<true | undefined, Value, undefined>,
  { share = 0, now = () => performance.now() }: Pace = {},
): Promise<Value> {
  let portion = PORTION;
  let since = now();
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    const laidDown = now();
    if (value !== true && laidDown - since < portion) continue;
    await setImmediate();
    since = now();
    portion = Math.min(LONGEST_PORTION, Math.max(PORTION, (since - laidDown) * share));
  }
}
