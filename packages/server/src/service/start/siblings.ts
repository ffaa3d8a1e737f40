import cluster from 'node:cluster';
import { createProcessCalls } from '../../platform/flow/process-calls.ts';
import { coalesce } from '../../platform/flow/coalesce.ts';
import type { SharedCounts, Spending, Spent } from '../../platform/flow/shared-counts.ts';
import type { Figures } from '../../vitals/metrics.ts';
import { createSiblingSlots } from './sibling-slots.ts';

export interface Siblings extends SharedCounts {
  /** index, reused by a replacement; the first also runs the background tasks */
  place: number;
  figures: () => Promise<Figures[]>;
  whenAlone(act: () => void): void;
  tellFigures(read: () => Promise<Figures>): void;
}

export const PLACE = 'SVC_PLACE';
const MOST_SPENT_AT_ONCE = 512;

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
    // One message carries all requests that arrived during the last one.
    spend: coalesce((spendings: readonly Spending[]) => ask('spend', spendings) as Promise<Spent[]>, {
      slots: 1,
      most: MOST_SPENT_AT_ONCE,
    }),
    ...createSiblingSlots(ask),
    figures: () => ask('figures', undefined) as Promise<Figures[]>,
    whenAlone(act) {
      worker.once('disconnect', () => {
        // Without this, Node.js would end the process during an answer.
        worker.exitedAfterDisconnect = true;
        act();
      });
    },
    tellFigures: (read) => void (readFigures = read),
  };
}
