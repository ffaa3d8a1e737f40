// Runs without a database.
import { expect, test } from 'vitest';
import { watchHead } from '../../src/anchoring/tick.ts';
import { newMemory } from '../../src/anchoring/work.ts';

const MINUTE = 60_000;
const T = 1_800_000_000;
const snapshot = (hash: string, timestamp = T) => ({
  head: { number: 5, hash: `0x${hash}` as const, timestamp, baseFeePerGas: 1n },
});
const due = [{ notBefore: T * 1000 - 5_000 }];
const later = [...due, { notBefore: T * 1000 + 1 }];

type Look = [minute: number, seen: ReturnType<typeof snapshot>, waiting: typeof due];
function problems(looks: readonly Look[]): (string | undefined)[] {
  const memory = newMemory();
  return looks.map(([minute, seen, waiting]) => watchHead(memory, seen, waiting, minute * MINUTE)?.text);
}

test('reports a head that does not move while transactions wait, until it moves', () => {
  const stands = expect.stringMatching(/^CHAIN_RPC_URL: the chain has had no new block/);
  expect(
    problems([
      [0, snapshot('a'), due],
      [10, snapshot('a'), due],
      [10.1, snapshot('a'), due],
      [11, snapshot('b'), due],
      [20, snapshot('b'), due],
    ]),
  ).toEqual([undefined, undefined, stands, undefined, undefined]);
});

test('measures from the first waiting transaction', () => {
  const looks = [0, 30, 60].map((minute): Look => [minute, snapshot('a'), []]);
  expect(problems([...looks, [61, snapshot('a'), due], [70, snapshot('a'), due]])).toEqual(
    looks.concat(looks.slice(0, 2)).map(() => undefined),
  );
});

test('reports a moving head that stays older than the waiting transactions', () => {
  const lags = expect.stringMatching(/^CHAIN_RPC_URL: the newest block is older/);
  expect(
    problems([
      [0, snapshot('a', T - 9), later],
      [1, snapshot('b', T - 6), later],
      [2.1, snapshot('c', T - 3), later],
      [2.2, snapshot('d', T + 1), later],
      [2.3, snapshot('e', T), later],
      [4, snapshot('f', T), later],
    ]),
  ).toEqual([undefined, undefined, lags, undefined, undefined, undefined]);
});
