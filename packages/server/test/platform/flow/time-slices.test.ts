// Runs without a database.
import { expect, test } from 'vitest';
import { runInTimeSlices } from '../../../src/platform/flow/time-slices.ts';

test('work pauses every two milliseconds to let other tasks run', async () => {
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
  expect(await runInTimeSlices(work(), { now: () => clock })).toBe('done');
  isDone = true;
  expect(turnOf).toHaveLength(60);
  expect(new Set(turnOf).size).toBe(30);
});

test.each([
  { others: 2, share: 0.25, slice: 2 },
  { others: 24, share: 0.25, slice: 6 },
  { others: 400, share: 0.25, slice: 10 },
  { others: 400, share: 0, slice: 2 },
])(
  'slices last $slice ms when other tasks take $others ms and the share is $share',
  async ({ others, share, slice }) => {
    let [clock, isDone] = [0, false];
    const turn = () => {
      clock += others;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    const slices: number[] = [];
    function* work(): Generator<undefined, void, undefined> {
      let last = -Infinity;
      for (let step = 0; step < 60; step++) {
        if (clock > last) slices.push(0);
        slices[slices.length - 1]! += 1;
        last = ++clock;
        yield;
      }
    }
    await runInTimeSlices(work(), { share, now: () => clock });
    isDone = true;
    const [first, ...rest] = slices.slice(0, -1);
    expect(first).toBe(2);
    expect(new Set(rest)).toEqual(new Set([slice]));
  },
);

test('lets other tasks run before a long step', async () => {
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
  await runInTimeSlices(work(), { now: () => 0 });
  expect(seen.slice(0, 3)).toEqual([0, 0, 0]);
  expect(seen[3]).toBeGreaterThan(0);
  expect(seen[4]).toBe(seen[3]);
});
