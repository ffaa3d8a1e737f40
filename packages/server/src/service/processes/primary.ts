// The primary process with PROCESSES above 1: starts and replaces workers, and keeps their common counts.
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { type Call, createProcessCalls } from '../../platform/flow/process-calls.ts';
import { createKeySlots, type SpendRequest, type SpendResult } from '../../platform/flow/shared-counts.ts';
import { PROCESS_INDEX } from '../start/siblings.ts';
import type { Figures } from '../../vitals/metrics.ts';

/** The path is relative to the bundle, dist/run/serve.js. */
const PROGRAM = fileURLToPath(new URL('../../bin/serve.mjs', import.meta.url));
/** A hanging process must not delay the metrics. */
const FIGURES_PATIENCE_MS = 1_000;
/** A shorter life delays the next start more each time. */
const LIVED_MS = 10_000;
const LONGEST_PAUSE_MS = 10_000;

interface PrimaryLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

interface Processes {
  listening: Promise<void>;
  stop: () => Promise<void>;
}

/** Replaces each process that ends. This process only distributes connections and keeps common counts. */
export function runProcesses(
  count: number,
  environment: Readonly<Record<string, string>>,
  log: PrimaryLog,
): Processes {
  const counts = createCounts();
  const slots = createSharedSlots();
  const running = new Map<Worker, { call: Call; ended: Promise<boolean> }>();
  const stopping = new AbortController();

  function start(place: number): Worker {
    const worker = cluster.fork({ ...environment, [PROCESS_INDEX]: String(place) });
    const { pid } = worker.process;
    const call = createProcessCalls(
      {
        send: (message, failed) => void worker.send(message, failed),
        listen: (listener) => worker.on('message', listener),
      },
      {
        spend: (spendings: readonly SpendRequest[]) => counts(spendings),
        hold: (hold: { id: number; key: string; most: number }) => slots.hold(worker.id, hold),
        release: ({ id }: { id: number }) => slots.release(worker.id, id),
        holds: ({ ids }: { ids: readonly number[] }) => slots.keepOnly(worker.id, ids),
        figures: () => figuresBeside(worker),
      },
      FIGURES_PATIENCE_MS,
    );
    // Node.js throws an `error` event without a listener; `exit` below reports the end.
    worker.on('error', () => undefined);
    // A process that does not listen yet has nothing to shut down.
    const ended = new Promise<boolean>((resolve) => {
      worker.once('exit', (code, signal) => {
        running.delete(worker);
        slots.ended(worker.id);
        if (!stopping.signal.aborted) log.error({ process: pid, place, code, signal }, 'a process ended');
        resolve(code === 0 || signal === 'SIGTERM');
      });
    });
    running.set(worker, { call, ended });
    return worker;
  }

  async function keep(place: number, worker: Worker): Promise<void> {
    let pause = 0;
    for (let began = performance.now(); ; began = performance.now()) {
      await running.get(worker)?.ended;
      pause = performance.now() - began > LIVED_MS ? 0 : Math.min(Math.max(pause * 2, 100), LONGEST_PAUSE_MS);
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      worker = start(place);
      log.info({ process: worker.process.pid, place }, 'a new process replaces it');
    }
  }

  function whenListening(worker: Worker): Promise<void> {
    return new Promise((resolve, reject) => {
      worker.once('listening', () => resolve());
      worker.once('exit', () => {
        if (!stopping.signal.aborted) reject(new Error('a process ended before it could serve'));
      });
    });
  }

  async function figuresBeside(asking: Worker): Promise<Figures[]> {
    const others = [...running].filter(([worker]) => worker !== asking);
    const answers = await Promise.allSettled(others.map(([, { call }]) => call('own figures', undefined)));
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value as Figures] : []));
  }

  cluster.setupPrimary({ exec: PROGRAM, args: [] });
  const first = Array.from({ length: count }, (_, place) => start(place));
  const listening = Promise.all(first.map(whenListening)).then(() => undefined);
  listening.then(
    () => first.forEach((worker, place) => void keep(place, worker)),
    () => undefined,
  );
  return {
    listening,
    async stop() {
      stopping.abort();
      const endings = [...running.values()].map(({ ended }) => ended);
      for (const worker of running.keys()) worker.process.kill('SIGTERM');
      if ((await Promise.all(endings)).includes(false)) throw new Error('not every process stopped cleanly');
    },
  };
}

export function createCounts(): (spendings: readonly SpendRequest[]) => Promise<SpendResult[]> {
  const limiters = new Map<string, RateLimiterMemory>();
  const limiterOf = ({ name, limit, seconds }: SpendRequest): RateLimiterMemory => {
    let limiter = limiters.get(name);
    if (!limiter) limiters.set(name, (limiter = new RateLimiterMemory({ points: limit, duration: seconds })));
    return limiter;
  };
  return (spendings) =>
    Promise.all(
      spendings.map(async (spending) => {
        const limiter = limiterOf(spending);
        const { who, points } = spending;
        try {
          const result = await (points < 0 ? limiter.reward(who, -points) : limiter.consume(who, points));
          return toSpent(true, result);
        } catch (error) {
          if (error instanceof RateLimiterRes) return toSpent(false, error);
          throw error;
        }
      }),
    );
}

function toSpent(passed: boolean, { remainingPoints, msBeforeNext }: RateLimiterRes): SpendResult {
  return { passed, remaining: remainingPoints, msBeforeNext };
}

/** Each process numbers its slots, which are released when the process ends. */
interface SharedSlots {
  hold(process: number, hold: { id: number; key: string; most: number }): boolean;
  release(process: number, id: number): void;
  keepOnly(process: number, ids: readonly number[]): void;
  ended(process: number): void;
}

export function createSharedSlots(): SharedSlots {
  const slots = createKeySlots();
  const held = new Map<number, Map<number, () => void>>();
  const releaseIf = (process: number, isOver: (id: number) => boolean): void => {
    const own = held.get(process);
    for (const [id, release] of own ?? []) {
      if (!isOver(id)) continue;
      release();
      own!.delete(id);
    }
  };
  return {
    hold(process, { id, key, most }) {
      const release = slots.hold(key, most);
      if (release === undefined) return false;
      held.set(process, (held.get(process) ?? new Map<number, () => void>()).set(id, release));
      return true;
    },
    release: (process, over) => releaseIf(process, (id) => id === over),
    keepOnly(process, ids) {
      const kept = new Set(ids);
      releaseIf(process, (id) => !kept.has(id));
    },
    ended(process) {
      releaseIf(process, () => true);
      held.delete(process);
    },
  };
}
