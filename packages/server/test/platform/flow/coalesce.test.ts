// Runs without a database.
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { coalesce, type CoalesceOptions } from '../../../src/platform/flow/coalesce.ts';

function recorded(options: CoalesceOptions) {
  const runs: { items: readonly number[]; end: () => void }[] = [];
  const work = (items: readonly number[]) =>
    new Promise<number[]>((resolve) =>
      runs.push({ items, end: () => resolve(items.map((one) => one * 10)) }),
    );
  return { runs, ask: coalesce<number, number>(work, options) };
}

test('items that arrive during a run form the next batch', async () => {
  const { runs, ask } = recorded({ slots: 2, most: 10, parallelFrom: 3 });
  const first = ask(1);
  await turn();
  const later = [ask(2), ask(3)];
  await turn();
  expect(runs.map((run) => run.items)).toEqual([[1]]);
  runs[0]!.end();
  expect(await first).toBe(10);
  await turn();
  expect(runs.map((run) => run.items)).toEqual([[1], [2, 3]]);
  runs[1]!.end();
  expect(await Promise.all(later)).toEqual([20, 30]);
});

test('starts a parallel run when many items wait for a hanging run, up to the number of slots', async () => {
  const { runs, ask } = recorded({ slots: 2, most: 10, parallelFrom: 3 });
  void ask(1);
  await turn();
  const many = [2, 3, 4].map((item) => ask(item));
  await turn();
  expect(runs.map((run) => run.items)).toEqual([[1], [2, 3, 4]]);
  for (const item of [5, 6, 7, 8]) void ask(item);
  await turn();
  expect(runs).toHaveLength(2);
  runs[1]!.end();
  expect(await Promise.all(many)).toEqual([20, 30, 40]);
  await turn();
  expect(runs[2]!.items).toEqual([5, 6, 7, 8]);
});

test('waits for the callers it just answered, at most half as long as the last run took', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    const { runs, ask } = recorded({ slots: 2, most: 10, parallelFrom: 8, gathers: true });
    const alone = ask(0);
    await turn();
    runs[0]!.end();
    await alone;

    const first = [ask(1), ask(2)];
    await turn();
    const later = [ask(3)];
    vi.advanceTimersByTime(8);
    runs[1]!.end();
    await Promise.all(first);
    later.push(ask(4));
    await turn();
    expect(runs.map((run) => run.items)).toEqual([[0], [1, 2]]);
    later.push(ask(5));
    await turn();
    expect(runs[2]!.items).toEqual([3, 4, 5]);

    vi.advanceTimersByTime(8);
    runs[2]!.end();
    await Promise.all(later);
    void ask(6);
    await turn();
    vi.advanceTimersByTime(3);
    expect(runs).toHaveLength(3);
    vi.advanceTimersByTime(1);
    expect(runs[3]!.items).toEqual([6]);

    vi.advanceTimersByTime(60_000);
    runs[3]!.end();
    await turn();
    for (const item of [7, 8]) void ask(item);
    await turn();
    expect(runs[4]!.items).toEqual([7, 8]);
    vi.advanceTimersByTime(60_000);
    runs[4]!.end();
    await turn();
    void ask(9);
    vi.advanceTimersByTime(10);
    expect(runs[5]!.items).toEqual([9]);
  } finally {
    vi.useRealTimers();
  }
});

test('rejects an item while the queue is full, and accepts one when it has space again', async () => {
  const { runs, ask } = recorded({ slots: 1, most: 10, queue: 2, what: 'things are made' });
  const first = ask(1);
  await turn();
  const waiting = [ask(2), ask(3)];
  await expect(ask(4)).rejects.toMatchObject({
    code: 'service_unavailable',
    message: 'too many things are made at once: nothing was written, try again in a moment',
  });
  runs[0]!.end();
  expect(await first).toBe(10);
  await turn();
  const next = ask(5);
  runs[1]!.end();
  expect(await Promise.all(waiting)).toEqual([20, 30]);
  await turn();
  runs[2]!.end();
  expect(await next).toBe(50);
});
