import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Ask, createAsking } from '../flow/asking.ts';
import type { Spending } from '../flow/shared-counts.ts';
import { PLACE } from '../start/siblings.ts';
import type { Figures } from '../vitals/metrics.ts';
import { createCounts } from './counts.ts';
import { createSharedPlaces } from './places.ts';

/** The program of each process: what is built already, nothing to prepare. */
const PROGRAM = fileURLToPath(new URL('../../bin/serve.mjs', import.meta.url));
/** What a process measured may be left out; whoever asked for all of it does not wait for one that hangs. */
const FIGURES_PATIENCE_MS = 1_000;
/** A process that ends so early will again: it is replaced later and later. */
const LIVED_MS = 10_000;
const LONGEST_PAUSE_MS = 10_000;

export interface PrimaryLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface Processes {
  /** Resolves once each listens. @throws when one ends before it does */
  listening: Promise<void>;
  /** Has all of them stop. @throws when one could not */
  stop: () => Promise<void>;
}

/**
 * Starts so many processes that serve one port together, and another one for each that ends. This one serves nobody: it hands
 * over connections, and counts what all of them must count together.
 */
export function runProcesses(
  count: number,
  environment: Readonly<Record<string, string>>,
  log: PrimaryLog,
): Processes {
  const counts = createCounts();
  const places = createSharedPlaces();
  const running = new Map<Worker, { ask: Ask; ended: Promise<boolean> }>();
  const stopping = new AbortController();

  function start(place: number): Worker {
    const worker = cluster.fork({ ...environment, [PLACE]: String(place) });
    const { pid } = worker.process;
    const ask = createAsking(
      {
        send: (message, failed) => void worker.send(message, failed),
        listen: (listener) => worker.on('message', listener),
      },
      {
        spend: (spendings: readonly Spending[]) => counts(spendings),
        hold: (hold: { id: number; key: string; most: number }) => places.hold(worker.id, hold),
        release: ({ id }: { id: number }) => places.release(worker.id, id),
        holds: ({ ids }: { ids: readonly number[] }) => places.keepOnly(worker.id, ids),
        figures: () => figuresBeside(worker),
      },
      FIGURES_PATIENCE_MS,
    );
    // A message to a process that is gone says so to whoever sent it; without a listener it would end this one.
    worker.on('error', () => undefined);
    // One that hears of the end before it listens for that has nothing to bring to an end.
    const ended = new Promise<boolean>((resolve) => {
      worker.once('exit', (code, signal) => {
        running.delete(worker);
        places.ended(worker.id);
        if (!stopping.signal.aborted) log.error({ process: pid, place, code, signal }, 'a process ended');
        resolve(code === 0 || signal === 'SIGTERM');
      });
    });
    running.set(worker, { ask, ended });
    return worker;
  }

  /** The processes of one place, one after the other. */
  async function keep(place: number, worker: Worker): Promise<void> {
    let pause = 0;
    for (let began = performance.now(); ; began = performance.now()) {
      await running.get(worker)?.ended;
      pause = performance.now() - began > LIVED_MS ? 0 : Math.min(Math.max(pause * 2, 100), LONGEST_PAUSE_MS);
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      worker = start(place);
      log.info({ process: worker.process.pid, place }, 'another process takes its place');
    }
  }

  /** Never, once all are stopped. */
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
    const answers = await Promise.allSettled(others.map(([, { ask }]) => ask('own figures', undefined)));
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
