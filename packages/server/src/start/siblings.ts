import cluster from 'node:cluster';
import { createProcessCalls } from '../flow/process-calls.ts';
import { coalesce } from '../flow/coalesce.ts';
import type { SharedCounts, Spending, Spent } from '../flow/shared-counts.ts';
import type { Figures } from '../vitals/metrics.ts';
import { createSiblingSlots } from './sibling-slots.ts';

/** The other processes on this machine (PROCESSES), reached through the primary process. */
export interface Siblings extends SharedCounts {
  /** this process's index, reused by its replacement; the first also runs the background tasks */
  place: number;
  /** The other processes' measurements. */
  figures: () => Promise<Figures[]>;
  /** Runs `act` when the primary ends: no process distributes connections or counts requests any more. */
  whenAlone(act: () => void): void;
  /** Lets the other processes read this process's measurements. */
  tellFigures(read: () => Promise<Figures>): void;
}

/** The environment variable with the index of a process that the primary started; not a setting. */
export const PLACE = 'SVC_PLACE';
const MOST_SPENT_AT_ONCE = 512;

/** Undefined for a process that runs alone. */
export function joinSiblings(place: string | undefined): Siblings | undefined {
  const { worker } = cluster;
  if (!worker || place === undefined) return undefined;
  let readFigures = (): Promise<Figures> => Promise.resolve([]);
  const ask = createProcessCalls(
    {
      send: (message, failed) => void worker.send(message, failed),
      listen: (listener) => worker.on('message', listener),
    },
    { 'own figures': () => readFigures() },
  );
  return {
    place: Number(place),
    // One message at a time carries all requests that arrived during the previous one: sending costs more than counting.
    spend: coalesce((spendings: readonly Spending[]) => ask('spend', spendings) as Promise<Spent[]>, {
      slots: 1,
      most: MOST_SPENT_AT_ONCE,
    }),
    ...createSiblingSlots(ask),
    figures: () => ask('figures', undefined) as Promise<Figures[]>,
    whenAlone(act) {
      worker.once('disconnect', () => {
        // Otherwise Node.js ends this process at once, during an answer.
        worker.exitedAfterDisconnect = true;
        act();
      });
    },
    tellFigures: (read) => void (readFigures = read),
  };
}
