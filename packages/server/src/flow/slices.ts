import { setImmediate as turn } from 'node:timers/promises';

/** Of the dearest work, texts spelled out character by character, so many characters take a few milliseconds. */
const SLICE = 6_144;

/**
 * `work` on each item in order. Of many or long ones only some are worked on before everybody else has their turn of the
 * event loop; of few and short ones nobody waits for a turn.
 * @param weigh what an item is made of, in characters unless `most` is told
 */
export async function inSlices<Item, Made>(
  items: Iterable<Item>,
  weigh: (item: Item) => number,
  work: (item: Item) => Made,
  most = SLICE,
): Promise<Made[]> {
  const made: Made[] = [];
  let weight = 0;
  for (const item of items) {
    const own = weigh(item);
    if (weight > 0 && weight + own > most) {
      await turn();
      weight = 0;
    }
    weight += own;
    made.push(work(item));
  }
  return made;
}
