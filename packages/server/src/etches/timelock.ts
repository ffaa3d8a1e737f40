import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { DrandChain } from '@svc/protocol/timelock';
import { Failure } from '../platform/failure.ts';
import type { Answer, Task } from './timelock-thread.ts';

const IDLE_MS = 60_000;
/** Then the task fails and its thread ends. */
const LONGEST_MS = 15_000;
const MOST_WAITING = 32;

interface Waiting {
  id: number;
  task: Task;
  resolve: (result: string | boolean) => void;
  reject: (error: Error) => void;
}

/** The compiled thread, also when the sources run. */
const THREAD = createRequire(import.meta.url).resolve('#timelock-thread');

export function createTimelock(log: { warn(details: object, message: string): void }) {
  const queue: Waiting[] = [];
  let worker: Worker | undefined;
  let nextId = 0;
  let timer: NodeJS.Timeout | undefined;
  let busy = false;

  function next(): void {
    clearTimeout(timer);
    const [first] = queue;
    busy = first !== undefined;
    if (first === undefined) {
      worker?.unref();
      timer = setTimeout(() => void end(), IDLE_MS).unref();
      return;
    }
    worker ??= start();
    worker.ref();
    timer = setTimeout(() => giveUp('it took too long'), LONGEST_MS).unref();
    worker.postMessage({ id: first.id, task: first.task });
  }

  function start(): Worker {
    // The thread must not get our settings: some are secret.
    const started = new Worker(THREAD, { env: {}, execArgv: [] });
    started.on('message', (answer: Answer) => {
      if (started !== worker || answer.id !== queue[0]?.id) return;
      if ('failure' in answer) return giveUp(answer.failure);
      queue.shift()!.resolve(answer.result);
      next();
    });
    started.on('error', (error: Error) => started === worker && giveUp(error.message));
    return started;
  }

  function giveUp(reason: string): void {
    const [first] = queue;
    const isCheck = first?.task.kind === 'check';
    log.warn({ reason }, isCheck ? 'a round could not be checked' : 'an opening could not be encrypted');
    void end();
    queue.shift();
    first?.reject(
      new Failure(
        'service_unavailable',
        `this ${isCheck ? 'round cannot be checked' : 'opening cannot be made'} now: try again`,
      ),
    );
    next();
  }

  async function end(): Promise<void> {
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  }

  const queued = (task: Task): Promise<string | boolean> =>
    new Promise((resolve, reject) => {
      if (queue.length >= MOST_WAITING)
        return reject(
          new Failure(
            'service_unavailable',
            'too many openings and rounds are waiting: try again in a moment',
          ),
        );
      queue.push({ id: nextId++, task, resolve, reject });
      if (!busy) next();
    });

  return {
    encrypt: async (chain: DrandChain, round: number, text: string) =>
      (await queued({ kind: 'encrypt', chain: { ...chain }, round, text })) as string,
    isBeacon: async (chain: DrandChain, round: number, signature: string) =>
      (await queued({ kind: 'check', chain: { ...chain }, round, signature })) as boolean,
    async close() {
      clearTimeout(timer);
      for (const { reject } of queue.splice(0))
        reject(new Failure('service_unavailable', 'the service stops'));
      await end();
    },
  };
}

export type Timelock = ReturnType<typeof createTimelock>;
