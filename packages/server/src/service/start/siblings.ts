// The link of a worker process to the primary: shared counts, slots and metrics.
import cluster from 'node:cluster';
import { type Call, createProcessCalls } from '../../platform/flow/process-calls.ts';
import { coalesce } from '../../platform/flow/coalesce.ts';
import type { SharedCounts, SpendRequest, SpendResult } from '../../platform/flow/shared-counts.ts';
import type { Figures } from '../../vitals/metrics.ts';

export interface Siblings extends SharedCounts {
  /** index, reused by a replacement; the first also runs the background tasks */
  index: number;
  figures: () => Promise<Figures[]>;
  whenAlone(act: () => void): void;
  tellFigures(read: () => Promise<Figures>): void;
}

export const PROCESS_INDEX = 'SVC_PLACE';
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
    index: Number(place),
    // One message carries all requests that arrived during the last one.
    spend: coalesce(
      (spendings: readonly SpendRequest[]) => ask('spend', spendings) as Promise<SpendResult[]>,
      {
        slots: 1,
        most: MOST_SPENT_AT_ONCE,
      },
    ),
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

const RECONCILE_MS = 60_000;

/**
 * The primary counts slots. It may handle a call after the caller's timeout, so a slot without an answer is released
 * by its number. Every minute the primary gets all current slots and releases the others.
 */
export function createSiblingSlots(call: Call): Pick<SharedCounts, 'hold'> {
  const held = new Set<number>();
  let last = 0;
  const send = (question: string, body: unknown): void => void call(question, body).catch(() => undefined);
  setInterval(() => send('holds', { ids: [...held] }), RECONCILE_MS).unref();
  return {
    async hold(key, most) {
      const id = ++last;
      held.add(id);
      const release = (): void => {
        if (held.delete(id)) send('release', { id });
      };
      try {
        if (await call('hold', { id, key, most })) return release;
      } catch (error) {
        release();
        throw error;
      }
      held.delete(id);
      return undefined;
    },
  };
}
