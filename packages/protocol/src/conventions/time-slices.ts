/** The caller may pause at each `yield`. */
export type TimeSlices<Value> = Generator<undefined, Value, undefined>;

/**
 * @example
 * runToEnd(scoreChallengeInTimeSlices('ba2700ee-b11f-45fe-a934-06098975d379', { etches: [], challenges: [] })); // null
 */
export function runToEnd<Value>(work: TimeSlices<Value>): Value {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

const AT_ONCE = 1_000;

export function* sortInTimeSlices<Item>(
  items: readonly Item[],
  order: (a: Item, b: Item) => number,
): TimeSlices<Item[]> {
  let runs: Item[][] = [];
  for (let from = 0; from < items.length; from += AT_ONCE) {
    runs.push(items.slice(from, from + AT_ONCE).sort(order));
    yield;
  }
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(yield* merge(runs[at]!, runs[at + 1] ?? [], order));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge<Item>(
  one: readonly Item[],
  other: readonly Item[],
  order: (a: Item, b: Item) => number,
): TimeSlices<Item[]> {
  const merged: Item[] = [];
  let [i, j] = [0, 0];
  while (i < one.length || j < other.length) {
    const takesOther = i === one.length || (j < other.length && order(one[i]!, other[j]!) > 0);
    merged.push(takesOther ? other[j++]! : one[i++]!);
    if (merged.length % AT_ONCE === 0) yield;
  }
  return merged;
}
