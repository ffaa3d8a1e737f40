import type { ClaimedWebhook, Free, Lane } from './delivery-store.ts';

/** Turns at once of receivers whose last answer was good and came soon, and of new ones. */
const PROMPT = 8;
/** So many of these may be new receivers: the rest is kept for those that have answered soon before. */
const NEW = 4;
/** Turns at once of receivers that failed or were slow the last time, or whose answer is late now. */
const SLOW = 32;
/** Turns at once of one account, and of one host, so that neither keeps the others waiting. */
const OF_ACCOUNT = 2;
const OF_HOST = 4;

export interface Lanes {
  /** undefined: no slot is free */
  free(): Free | undefined;
  /** @returns how to report that the answer is late, and that the turn is over */
  enter(hook: ClaimedWebhook): { isLate: () => void; leave: () => void };
}

/** The slots for deliveries. A receiver whose answer is late leaves the slots that are kept for prompt ones. */
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
      // Late answers beyond the slots for them still fill slots of new receivers: the number of connections has a bound.
      const fresh = count('new') + Math.max(0, slow - SLOW);
      const hasRoom = fresh + count('proven') < PROMPT;
      const free = { proven: hasRoom, new: hasRoom && fresh < NEW, slow: slow < SLOW };
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
