import { setImmediate } from 'node:timers/promises';

/** Work pauses after this many milliseconds, so that the event loop can run other tasks. */
const SLICE_MS = 2;
/** The longest time slice with `share`: half the longest event-loop stall allowed (docs/performance.md#stalls). */
const LONGEST_SLICE_MS = 10;

interface Pace {
  /**
   * For work that must keep pace with other tasks: the next slice lasts this fraction of the time the other tasks
   * just took, but at least two milliseconds. Run only one such work at a time, or the slices lengthen each other.
   */
  share?: number;
  now?: () => number;
}

/**
 * Runs a generator in time slices of a few milliseconds. It may pause at every `yield`; `yield true` means that a
 * long step follows, so it pauses there in any case.
 */
export async function runInTimeSlices<Value>(
  work: Iterator<true | undefined, Value, undefined>,
  { share = 0, now = () => performance.now() }: Pace = {},
): Promise<Value> {
  let slice = SLICE_MS;
  let since = now();
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    const pausedAt = now();
    if (value !== true && pausedAt - since < slice) continue;
    await setImmediate();
    since = now();
    slice = Math.min(LONGEST_SLICE_MS, Math.max(SLICE_MS, (since - pausedAt) * share));
  }
}

/** This many characters take a few milliseconds in the most expensive work, spelling texts out character by character. */
const SLICE_WEIGHT = 6_144;

/**
 * Maps `work` over the items in order, and yields to the event loop after each slice. Few short items fit one slice
 * and do not yield.
 * @param weigh an item's weight: characters, unless `most` is given
 */
export async function mapInTimeSlices<Item, Made>(
  items: Iterable<Item>,
  weigh: (item: Item) => number,
  work: (item: Item) => Made,
  most = SLICE_WEIGHT,
): Promise<Made[]> {
  const made: Made[] = [];
  let weight = 0;
  for (const item of items) {
    const own = weigh(item);
    if (weight > 0 && weight + own > most) {
      await setImmediate();
      weight = 0;
    }
    weight += own;
    made.push(work(item));
  }
  return made;
}
