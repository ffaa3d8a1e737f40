import type { Call } from '../flow/process-calls.ts';
import type { SharedCounts } from '../flow/shared-counts.ts';

const RECONCILE_MS = 60_000;

/**
 * Takes slots that the primary process counts for all processes. A call may time out here although the primary handles it later, because
 * the primary paused or the machine was slow. Therefore each hold has a number: a hold whose answer did not arrive is released by its
 * number, and every minute the primary gets the numbers of all current holds and releases the others. Messages arrive in the order of
 * sending.
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
