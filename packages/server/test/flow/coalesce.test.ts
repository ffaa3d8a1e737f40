import { expect, test } from 'vitest';
import { coalesce } from '../../src/flow/coalesce.ts';

function recorded(options: { slots: number; most: number; beside?: number }) {
  const runs: { items: readonly number[]; end: () => void }[] = [];
  const ask = coalesce<number, number>(
    (items) =>
      new Promise((resolve) => runs.push({ items, end: () => resolve(items.map((item) => item * 10)) })),
    options,
  );
  return { runs, ask };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('what comes while a run is under way goes together when it ends', async () => {
  const { runs, ask } = recorded({ slots: 2, most: 10, beside: 3 });
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

test('many do not wait for a run that hangs: another starts beside it, and no more than the slots', async () => {
  const { runs, ask } = recorded({ slots: 2, most: 10, beside: 3 });
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
