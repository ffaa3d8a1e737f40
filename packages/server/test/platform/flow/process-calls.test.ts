// Runs without a database.
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { type Answers, type Channel, createProcessCalls } from '../../../src/platform/flow/process-calls.ts';

/** `cut` simulates that the other process is gone. */
function connect(here: Answers, there: Answers, patienceMs?: number) {
  const [left, right] = [new EventEmitter(), new EventEmitter()];
  let cut = false;
  const end = (own: EventEmitter, other: EventEmitter): Channel => ({
    send(message, failed) {
      if (cut) return failed(new Error('gone'));
      other.emit('message', structuredClone(message));
      failed(null);
    },
    listen: (listener) => own.on('message', listener),
  });
  return {
    ask: createProcessCalls(end(left, right), here, patienceMs),
    askBack: createProcessCalls(end(right, left), there, patienceMs),
    left,
    cut: () => (cut = true),
  };
}

test('each end answers the other, in any order', async () => {
  const waiting: (() => void)[] = [];
  const { ask, askBack } = connect(
    { twice: (n: number) => 2 * n },
    { slow: (n: number) => new Promise((resolve) => waiting.push(() => resolve(n))) },
  );
  const answers = Promise.all([ask('slow', 1), ask('slow', 2)]);
  expect(await askBack('twice', 21)).toBe(42);
  waiting.toReversed().forEach((answer) => answer());
  expect(await answers).toEqual([1, 2]);
});

test('fails if the handler fails, stays silent, or the other end is gone', async () => {
  const broken = () => Promise.reject(new Error('it broke'));
  const { ask, cut } = connect({}, { broken, silent: () => new Promise(() => undefined) }, 5);
  for (const [name, problem] of [
    ['broken', 'it broke'],
    ['unknown', 'no process answers unknown'],
    ['silent', 'no answer to silent in time'],
  ] as const)
    await expect(ask(name, null)).rejects.toThrow(problem);
  cut();
  await expect(ask('broken', null)).rejects.toThrow('gone');
});

test('ignores messages of others on the same channel', async () => {
  const { ask, left } = connect({}, { ping: () => 'pong' });
  for (const strange of [null, 'text', {}, { cmd: 'NODE_CLUSTER' }, { svc: 'answer', id: 99 }])
    left.emit('message', strange);
  expect(await ask('ping', undefined)).toBe('pong');
});
