// Limits how much slow work runs at once, and shares it fairly between callers.
import { Failure } from '../failure.ts';

export interface Slots {
  /** `who`: the caller that shares fairly with others, as an account or an address. */
  run<T>(work: () => Promise<T>, who: string): Promise<T>;
}

export interface SlotOptions {
  slots: number;
  share?: number;
  queue: number;
  patience: number;
  what: string;
}

interface Waiting {
  who: string;
  turn: number;
  go: () => void;
  giveUp: () => void;
}

/**
 * Expensive work waits here, not at the database. When the queue is full, drop an entry of the caller that has
 * most, so that one caller cannot starve the others.
 */
export function createSlots({ slots, share = slots, queue, patience, what }: SlotOptions): Slots {
  const busy = (): Failure =>
    new Failure('service_unavailable', `too many ${what} at once: try again in a moment`);
  const waiting: Waiting[] = [];
  const callers = new Map<string, { held: number; turn: number }>();
  let taken = 0;
  /** Start-time fair queueing: each caller waits for one turn after its own last. */
  let turn = 0;

  const mayEnter = (who: string): boolean => taken < slots && (callers.get(who)?.held ?? 0) < share;
  const turnOf = (who: string): number => {
    const caller = callers.get(who) ?? { held: 0, turn: turn - 1 };
    caller.turn = Math.max(turn, caller.turn + 1);
    callers.set(who, caller);
    return caller.turn;
  };
  const take = (who: string, callerTurn: number): void => {
    taken++;
    callers.get(who)!.held++;
    turn = Math.max(turn, callerTurn);
  };
  const forget = (who: string): void => {
    if (callers.get(who)?.held === 0 && !waiting.some((entry) => entry.who === who)) callers.delete(who);
  };
  const release = (who: string): void => {
    taken--;
    callers.get(who)!.held--;
    for (let next = chooseNext(); next; next = chooseNext()) {
      waiting.splice(waiting.indexOf(next), 1);
      take(next.who, next.turn);
      next.go();
    }
    forget(who);
  };
  const chooseNext = (): Waiting | undefined => {
    if (taken >= slots) return undefined;
    let next: Waiting | undefined;
    for (const entry of waiting) {
      if ((!next || entry.turn < next.turn) && mayEnter(entry.who)) next = entry;
    }
    return next;
  };

  const enter = (who: string): Promise<void> | undefined => {
    if (mayEnter(who)) {
      take(who, turnOf(who));
      return undefined;
    }
    if (waiting.length >= queue) dropEntry(who);
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        clearTimeout(timer);
        waiting.splice(waiting.indexOf(entry), 1);
        forget(who);
        reject(busy());
      };
      const timer = setTimeout(giveUp, patience);
      const go = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const entry: Waiting = { who, turn: turnOf(who), go, giveUp };
      waiting.push(entry);
    });
  };

  const dropEntry = (who: string): void => {
    const counts = new Map<string, number>();
    for (const entry of waiting) counts.set(entry.who, (counts.get(entry.who) ?? 0) + 1);
    const [most, count] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), [who, 0]);
    if (count <= (counts.get(who) ?? 0) + 1) throw busy();
    waiting.findLast((entry) => entry.who === most)!.giveUp();
  };

  return {
    async run(work, who) {
      await enter(who);
      try {
        return await work();
      } finally {
        release(who);
      }
    },
  };
}
