import type { ClaimedWebhook, Free, Lane } from './delivery-store.ts';

/** Concurrent turns of new receivers and of receivers whose last answer was successful and fast. */
const PROMPT = 8;
/** At most this many of them are new receivers; the rest is reserved for receivers that answered fast before. */
const NEW = 4;
/** Concurrent turns of receivers that failed or were slow last time, or are slow now. */
const SLOW = 32;
/** Concurrent turns per account and per host, so that none delays the others. */
const OF_ACCOUNT = 2;
const OF_HOST = 4;

export interface Lanes {
  free(): Free | undefined;
  /** @returns functions that report a late answer and the end of the turn */
  enter(hook: ClaimedWebhook): { isLate: () => void; leave: () => void };
}

/** The delivery slots. A receiver whose answer is late moves to the slow lane. */
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
      // Late answers beyond the slow slots count against those of new receivers, so that the number of connections is
      // bounded.
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
