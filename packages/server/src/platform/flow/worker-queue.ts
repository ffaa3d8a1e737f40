// A queue before one thread, fair to callers. An idle thread ends.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Failure } from '../failure.ts';
import { createSlots } from './slots.ts';

/** A thread uses much memory, so an idle one ends. */
const IDLE_MS = 60_000;
/** Then the task fails and its thread ends. */
const LONGEST_MS = 15_000;
const WAITING = { slots: 1, queue: 31, patience: 60_000 };

export interface WorkerQueueOptions<Task> {
  thread: string | URL;
  /** in "too many … at once" */
  what: string;
  /** what the log and the caller read when a task failed */
  failed: (task: Task) => { logged: string; message: string };
  log: { warn(details: object, message: string): void };
}

/** One task runs at a time, and callers share the thread fairly. The thread answers each message with `{ failure }` or with its result. */
export function createWorkerQueue<Task, Answer extends object>(options: WorkerQueueOptions<Task>) {
  const closed = new AbortController();
  const unavailable = (message: string) => new Failure('service_unavailable', message);
  let worker: Worker | undefined;
  const slot = createSlots({ ...WAITING, what: options.what });
  let waiting = 0;
  let idle: NodeJS.Timeout | undefined;

  function start(): Worker {
    // The thread gets no settings, because some are secret.
    const started = new Worker(options.thread, { env: {}, execArgv: [] });
    started.on('error', () => {
      if (worker === started) worker = undefined;
    });
    return started;
  }

  async function runAlone(task: Task): Promise<Answer> {
    // Node.js 20 forgets an `AbortSignal.timeout` that only `AbortSignal.any` refers to.
    const limit = new AbortController();
    const late = setTimeout(() => limit.abort(), LONGEST_MS).unref();
    const signal = AbortSignal.any([closed.signal, limit.signal]);
    try {
      signal.throwIfAborted();
      worker ??= start();
      worker.ref();
      worker.postMessage(task);
      const [answer] = (await once(worker, 'message', { signal })) as [Answer | { failure: string }];
      if ('failure' in answer) throw new Error(answer.failure);
      return answer;
    } catch (error) {
      if (closed.signal.aborted) throw unavailable('the service stops');
      const { logged, message } = options.failed(task);
      options.log.warn({ reason: signal.aborted ? 'it took too long' : (error as Error).message }, logged);
      void end();
      throw unavailable(message);
    } finally {
      clearTimeout(late);
    }
  }

  async function end(): Promise<void> {
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  }

  return {
    async run(task: Task, who: string): Promise<Answer> {
      waiting++;
      clearTimeout(idle);
      try {
        return await slot.run(() => runAlone(task), who);
      } finally {
        waiting--;
        if (waiting === 0) {
          worker?.unref();
          idle = setTimeout(() => void end(), IDLE_MS).unref();
        }
      }
    },
    async close(): Promise<void> {
      closed.abort();
      clearTimeout(idle);
      await end();
    },
  };
}
