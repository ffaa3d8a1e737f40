import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { DrandChain } from '@svc/protocol/timelock';
import { Failure } from '../errors/failure.ts';
import type { EncryptAnswer, EncryptRequest } from './timelock-thread.ts';

/** The thread ends when nothing was encrypted for so long. */
const IDLE_MS = 60_000;
/** An encryption that takes longer is given up, and the thread with it. */
const LONGEST_MS = 15_000;
const MOST_WAITING = 32;

/** Encrypts to rounds of a chain, one text at a time, beside the thread that answers requests. */
export interface Timelock {
  /** @returns an armored age file @throws Failure when too many wait, or it cannot be done */
  encrypt(chain: DrandChain, round: number, text: string): Promise<string>;
  close(): Promise<void>;
}

interface Waiting {
  request: EncryptRequest;
  resolve: (ciphertext: string) => void;
  reject: (error: Error) => void;
}

/** Its compiled form, also for whoever runs us from our source. */
const THREAD = createRequire(import.meta.url).resolve('#timelock-thread');

export function createTimelock(log: { warn(details: object, message: string): void }): Timelock {
  const queue: Waiting[] = [];
  let worker: Worker | undefined;
  let asked = 0;
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
    worker.postMessage(first.request);
  }

  function start(): Worker {
    // Neither our settings, some of which are secret, nor the flags we were started with are of any use to it.
    const started = new Worker(THREAD, { env: {}, execArgv: [] });
    started.on('message', (answer: EncryptAnswer) => {
      if (started !== worker || answer.id !== queue[0]?.request.id) return;
      if ('failure' in answer) return giveUp(answer.failure);
      queue.shift()!.resolve(answer.ciphertext);
      next();
    });
    started.on('error', (error: Error) => started === worker && giveUp(error.message));
    return started;
  }

  function giveUp(reason: string): void {
    log.warn({ reason }, 'an opening could not be encrypted');
    void end();
    queue.shift()?.reject(new Failure('service_unavailable', 'this opening cannot be made now: try again'));
    next();
  }

  async function end(): Promise<void> {
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  }

  return {
    encrypt: (chain, round, text) =>
      new Promise((resolve, reject) => {
        if (queue.length >= MOST_WAITING)
          return reject(
            new Failure('service_unavailable', 'too many openings wait to be encrypted: try again'),
          );
        queue.push({ request: { id: asked++, chain: { ...chain }, round, text }, resolve, reject });
        if (!busy) next();
      }),
    async close() {
      clearTimeout(timer);
      for (const { reject } of queue.splice(0))
        reject(new Failure('service_unavailable', 'the service stops'));
      await end();
    },
  };
}
