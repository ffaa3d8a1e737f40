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
  expect(await inPortions(work(), () => clock)).toBe('done');
  isDone = true;
  expect(turnOf).toHaveLength(60);
  expect(new Set(turnOf).size).toBe(30);
});
