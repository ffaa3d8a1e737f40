import type { ClaimedWebhook, Free, Lane } from './delivery-store.ts';

/** Slots of new and of fast receivers. */
const PROMPT = 8;
const NEW = 4;
/** Slots of receivers that failed or are slow. */
const SLOW = 32;
const OF_ACCOUNT = 2;
const OF_HOST = 4;

export interface Lanes {
  free(): Free | undefined;
  enter(hook: ClaimedWebhook): { isLate: () => void; leave: () => void };
}

/** A late answer moves its receiver to the slow lane. */
export function createLanes(): Lanes {
  const busy = new Set<{ account: string; host: string; lane: Lane }>();
  const count = (lane: Lane): number => [...busy].filter((turn) => turn.lane === lane).length;
  const full = (of: 'account' | 'host', most: number): string[] => {
    const counts = new Map<string, number>();
    for (const turn of busy) counts.set(turn[of], (counts.get(turn[of]) ?? 0) + 1);
    return [...counts].filter(([, held]) => held >= most).map(([name]) => name);
  };
  return {
    free() {
      const slow = count('slow');
      // Late answers beyond the slow slots count as new ones, which bounds the connections.
      const fresh = count('new') + Math.max(0, slow - SLOW);
      const hasFreeSlot = fresh + count('proven') < PROMPT;
      const free = { proven: hasFreeSlot, new: hasFreeSlot && fresh < NEW, slow: slow < SLOW };
      if (!free.proven && !free.slow) return undefined;
      return { ...free, busyAccounts: full('account', OF_ACCOUNT), busyHosts: full('host', OF_HOST) };
    },
    enter({ user_id: account, url, lane }) {
      const turn = { account, host: new URL(url).host, lane };
      busy.add(turn);
      return { isLate: () => void (turn.lane = 'slow'), leave: () => void busy.delete(turn) };
    },
  };
}
