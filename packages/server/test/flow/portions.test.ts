import { expect, test } from 'vitest';
import { inPortions } from '../../src/flow/portions.ts';

test('work is laid down every two milliseconds, and others have their turn meanwhile', async () => {
  let [clock, turns, isDone] = [0, 0, false];
  const others = () => {
    turns++;
    if (!isDone) setImmediate(others);
  };
  setImmediate(others);
  const turnOf: number[] = [];
  function* work(): Generator<undefined, string, undefined> {
    for (let step = 0; step < 60; step++) {
      clock += 1;
      turnOf.push(turns);
      yield;
    }
    return 'done';
  }
  expect(await inPortions(work(), { now: () => clock })).toBe('done');
  isDone = true;
  expect(turnOf).toHaveLength(60);
  expect(new Set(turnOf).size).toBe(30);
});

test.each([
  { others: 2, share: 0.25, portion: 2 },
  { others: 24, share: 0.25, portion: 6 },
  { others: 400, share: 0.25, portion: 10 },
  { others: 400, share: 0, portion: 2 },
])(
  'beside turns of $others ms and with a share of $share, portions are $portion ms long',
  async ({ others, share, portion }) => {
    let [clock, isDone] = [0, false];
    const turn = () => {
      clock += others;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    const portions: number[] = [];
    function* work(): Generator<undefined, void, undefined> {
      let last = -Infinity;
      for (let step = 0; step < 60; step++) {
        if (clock > last) portions.push(0);
        portions[portions.length - 1]! += 1;
        last = ++clock;
        yield;
      }
    }
    await inPortions(work(), { share, now: () => clock });
    isDone = true;
    const [first, ...rest] = portions.slice(0, -1);
    expect(first).toBe(2);
    expect(new Set(rest)).toEqual(new Set([portion]));
  },
);

test('others have their turn before what is said to be long', async () => {
  let turns = 0;
  const others = () => void (turns++, setImmediate(others).unref());
  setImmediate(others).unref();
  const seen: number[] = [];
  function* work(): Generator<true | undefined, void, undefined> {
    for (const long of [undefined, undefined, true, undefined] as const) {
      seen.push(turns);
      yield long;
    }
    seen.push(turns);
  }
  await inPortions(work(), { now: () => 0 });
  expect(seen.slice(0, 3)).toEqual([0, 0, 0]);
  expect(seen[3]).toBeGreaterThan(0);
  expect(seen[4]).toBe(seen[3]);
});
