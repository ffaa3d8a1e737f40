// Time-lock encryption and checks of rounds, in a thread.
import { createRequire } from 'node:module';
import type { DrandChain } from '@svc/protocol/timelock';
import { createWorkerQueue, type WorkerQueueOptions } from '../platform/flow/worker-queue.ts';
import type { TimelockAnswer, TimelockTask } from './timelock-thread.ts';

export function createTimelock(log: WorkerQueueOptions<TimelockTask>['log']) {
  const queue = createWorkerQueue<TimelockTask, Exclude<TimelockAnswer, { failure: string }>>({
    /** The compiled thread, also when the sources run. */
    thread: createRequire(import.meta.url).resolve('#timelock-thread'),
    what: 'openings and rounds',
    failed: ({ kind }) =>
      kind === 'check'
        ? { logged: 'a round could not be checked', message: 'this round cannot be checked now: try again' }
        : {
            logged: 'an opening could not be encrypted',
            message: 'this opening cannot be made now: try again',
          },
    log,
  });
  return {
    encrypt: async (chain: DrandChain, round: number, text: string, who: string) =>
      (await queue.run({ kind: 'encrypt', chain: { ...chain }, round, text }, who)).result as string,
    isBeacon: async (chain: DrandChain, round: number, signature: string, who: string) =>
      (await queue.run({ kind: 'check', chain: { ...chain }, round, signature }, who)).result as boolean,
    close: () => queue.close(),
  };
}

export type Timelock = ReturnType<typeof createTimelock>;
