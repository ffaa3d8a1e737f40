import cluster from 'node:cluster';
import { createProcessCalls } from '../flow/process-calls.ts';
import { coalesce } from '../flow/coalesce.ts';
import type { SharedCounts, Spending, Spent } from '../flow/shared-counts.ts';
import type { Figures } from '../vitals/metrics.ts';
import { createSiblingSlots } from './sibling-slots.ts';

/** The processes beside this one (PROCESSES), by way of the one that started them all. */
export interface Siblings extends SharedCounts {
  /** this one's place among them, kept by whoever replaces it; the first also runs the tasks */
  place: number;
  /** What the others measured, each by itself. */
  figures: () => Promise<Figures[]>;
  /** Acts when the one that started them ends: nobody hands over connections, or counts, any more. */
  whenAlone(act: () => void): void;
  /** Lets the others ask for what this one measured. */
  tellFigures(read: () => Promise<Figures>): void;
}

/** Names the place of a process that another one started; no setting. */
export const PLACE = 'SVC_PLACE';
const MOST_SPENT_AT_ONCE = 512;

/** Undefined for a process that is the only one, and has no place. */
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
    // One message at a time carries what came meanwhile: a message costs more than what it asks.
    spend: coalesce((spendings: readonly Spending[]) => ask('spend', spendings) as Promise<Spent[]>, {
      slots: 1,
      most: MOST_SPENT_AT_ONCE,
    }),
    ...createSiblingSlots(ask),
    figures: () => ask('figures', undefined) as Promise<Figures[]>,
    whenAlone(act) {
      worker.once('disconnect', () => {
        // Else Node.js ends this process at once, in the middle of what it answers.
        worker.exitedAfterDisconnect = true;
        act();
      });
    },
    tellFigures: (read) => void (readFigures = read),
  };
}
