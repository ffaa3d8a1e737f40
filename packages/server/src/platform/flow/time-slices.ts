// Runs long work in short slices, so that requests do not wait for it.
import { setImmediate } from 'node:timers/promises';

const SLICE_MS = 2;
/** With `share`: half the longest stall allowed (docs/performance.md#aims). */
const LONGEST_SLICE_MS = 10;

interface Pace {
  /** The next slice lasts this fraction of the other tasks' time, at least two ms. Only one such work at a time. */
  share?: number;
  now?: () => number;
}

/** May pause at every `yield`; `yield true` always pauses, before a long step. */
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

/** Waits for each group of `atOnce` items before the next one begins. */
export async function mapAtOnce<Item, Made>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Made>,
): Promise<Made[]> {
  const made: Made[] = [];
  for (let from = 0; from < items.length; from += atOnce)
    made.push(...(await Promise.all(items.slice(from, from + atOnce).map(work))));
  return made;
}

/** Characters: a few ms of the most expensive work. */
const SLICE_WEIGHT = 6_144;

/** Short lists do not yield. @param weigh characters, unless `most` is given */
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
