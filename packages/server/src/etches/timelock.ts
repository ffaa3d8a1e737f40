import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { DrandChain } from '@svc/protocol/timelock';
import { Failure } from '../platform/failure.ts';
import type { Answer, Task } from './timelock-thread.ts';

const IDLE_MS = 60_000;
/** Then the task fails and its thread ends. */
const LONGEST_MS = 15_000;
const MOST_WAITING = 32;

/** The compiled thread, also when the sources run. */
const THREAD = createRequire(import.meta.url).resolve('#timelock-thread');

/** One task runs at a time. */
export function createTimelock(log: { warn(details: object, message: string): void }) {
  const closed = new AbortController();
  let worker: Worker | undefined;
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;

  function start(): Worker {
    // The thread must not get our settings: some are secret.
    const started = new Worker(THREAD, { env: {}, execArgv: [] });
    started.on('error', () => {
      if (worker === started) worker = undefined;
    });
    return started;
  }

  async function run(task: Task): Promise<string | boolean> {
    const signal = AbortSignal.any([closed.signal, AbortSignal.timeout(LONGEST_MS)]);
    try {
      signal.throwIfAborted();
      worker ??= start();
      worker.ref();
      worker.postMessage(task);
      const [answer] = (await once(worker, 'message', { signal })) as [Answer];
      if ('failure' in answer) throw new Error(answer.failure);
      return answer.result;
    } catch (error) {
      if (closed.signal.aborted) throw new Failure('service_unavailable', 'the service stops');
      const isCheck = task.kind === 'check';
      const reason = signal.aborted ? 'it took too long' : (error as Error).message;
      log.warn({ reason }, isCheck ? 'a round could not be checked' : 'an opening could not be encrypted');
      void end();
      throw new Failure(
        'service_unavailable',
        `this ${isCheck ? 'round cannot be checked' : 'opening cannot be made'} now: try again`,
      );
    }
  }

  async function end(): Promise<void> {
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  }

  async function queued(task: Task): Promise<string | boolean> {
    if (waiting >= MOST_WAITING)
      throw new Failure(
        'service_unavailable',
        'too many openings and rounds are waiting: try again in a moment',
      );
    waiting++;
    clearTimeout(idle);
    const result = last.then(() => run(task));
    last = result.catch(() => {});
    try {
      return await result;
    } finally {
      waiting--;
      if (waiting === 0) {
        worker?.unref();
        idle = setTimeout(() => void end(), IDLE_MS).unref();
      }
    }
  }

  return {
    encrypt: async (chain: DrandChain, round: number, text: string) =>
      (await queued({ kind: 'encrypt', chain: { ...chain }, round, text })) as string,
    isBeacon: async (chain: DrandChain, round: number, signature: string) =>
      (await queued({ kind: 'check', chain: { ...chain }, round, signature })) as boolean,
    async close() {
      closed.abort();
      clearTimeout(idle);
      await end();
    },
  };
}

export type Timelock = ReturnType<typeof createTimelock>;
