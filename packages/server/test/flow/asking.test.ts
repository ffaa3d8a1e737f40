import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { type Answers, type Channel, createAsking } from '../../src/flow/asking.ts';

/** Two ends of one channel; `cut` as when the other process is gone. */
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
    ask: createAsking(end(left, right), here, patienceMs),
    askBack: createAsking(end(right, left), there, patienceMs),
    left,
    cut: () => (cut = true),
  };
}

test('each end answers the other, in whatever order the answers are ready', async () => {
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

test('a failure there is one here, and so is silence, or an end that is gone', async () => {
  const { ask, cut } = connect(
    {},
    {
      broken: () => {
        throw new Error('it broke');
      },
      silent: () => new Promise(() => undefined),
    },
    5,
  );
  await expect(ask('broken', null)).rejects.toThrow('it broke');
  await expect(ask('unknown', null)).rejects.toThrow('no process answers unknown');
  await expect(ask('silent', null)).rejects.toThrow('no answer to silent in time');
  cut();
  await expect(ask('broken', null)).rejects.toThrow('gone');
});

test('what others send through the same channel is left alone', async () => {
  const { ask, left } = connect({}, { ping: () => 'pong' });
  for (const strange of [null, 'text', {}, { cmd: 'NODE_CLUSTER' }, { svc: 'answer', id: 99 }])
    left.emit('message', strange);
  expect(await ask('ping', undefined)).toBe('pong');
});
