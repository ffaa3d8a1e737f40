// Runs without a database.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { newFolder } from '../../../../../testing/machine/folder.ts';
import { createWorkerQueue } from '../../../src/platform/flow/worker-queue.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('a task whose thread never answers fails, and the next task gets a new thread', async () => {
  const thread = join(newFolder('threads'), 'thread.mjs');
  writeFileSync(
    thread,
    `import { parentPort } from 'node:worker_threads';
    parentPort.on('message', (task) => task === 'hang' || parentPort.postMessage({ task }));`,
  );
  const warned: unknown[] = [];
  const queue = createWorkerQueue<string, { task: string }>({
    thread,
    what: 'tasks',
    failed: (task) => ({ logged: `failed: ${task}`, message: 'try again' }),
    log: { warn: (details, message) => warned.push(details, message) },
  });
  // Only the test's clock moves, because a busy machine may start a thread late.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const hung = queue.run('hang', 'ada');
  const next = queue.run('answer', 'ada');
  await turn();
  collectGarbage();
  vi.advanceTimersByTime(15_000);
  await expect(hung).rejects.toThrow('try again');
  expect(await next).toEqual({ task: 'answer' });
  expect(warned).toEqual([{ reason: 'it took too long' }, 'failed: hang']);
  await queue.close();
});

test('tasks of one caller do not delay those of another', async () => {
  const thread = join(newFolder('threads'), 'thread.mjs');
  writeFileSync(
    thread,
    `import { parentPort } from 'node:worker_threads';
    parentPort.on('message', (task) => parentPort.postMessage({ task }));`,
  );
  const failed = () => ({ logged: 'failed', message: 'try again' });
  const queue = createWorkerQueue<string, object>({ thread, what: 'tasks', failed, log: { warn() {} } });
  const order: string[] = [];
  const run = (who: string) => queue.run(who, who).then(() => order.push(who));
  await Promise.all([...Array.from({ length: 10 }, () => run('storm')), run('ada')]);
  expect(order.indexOf('ada')).toBe(1);
  await queue.close();
});
