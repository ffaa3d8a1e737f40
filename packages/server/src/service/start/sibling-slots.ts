import type { Call } from '../../platform/flow/process-calls.ts';
import type { SharedCounts } from '../../platform/flow/shared-counts.ts';

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
