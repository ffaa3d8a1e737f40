import { Failure } from '../errors/failure.ts';

/** Runs work in a few places; who finds no place in time is sent away. */
export interface Slots {
  /** `who`: by whom it is counted (all the same when absent). @throws Failure service_unavailable */
  run<T>(work: () => Promise<T>, who?: string): Promise<T>;
}

export interface SlotOptions {
  /** how many run at once */
  places: number;
  /** how many of them one may hold (default all) */
  share?: number;
  /** how many may wait */
  queue: number;
  /** how long one may wait, in milliseconds */
  patience: number;
  /** completes the refusal: "too many … at once" */
  what: string;
}

interface Waiting {
  who: string;
  turn: number;
  go: () => void;
  giveUp: () => void;
}

/**
 * A storm of what is dear waits here, and not before the database, where writes would wait with it. Nobody holds more than
 * a `share` of the places, callers take turns, and in a full queue room is made by who waits there most often: one
 * caller's storm is its own.
 */
export function createSlots({ places, share = places, queue, patience, what }: SlotOptions): Slots {
  const busy = (): Failure =>
    new Failure('service_unavailable', `too many ${what} at once: try again in a moment`);
  const waiting: Waiting[] = [];
  /** of each who holds or waits: how many places, and the latest turn */
  const callers = new Map<string, { held: number; turn: number }>();
  let taken = 0;
  /** Of who was let in last. Each waits for one turn after its own last, or joins at this one (start-time fair queueing). */
  let turn = 0;

  const mayEnter = (who: string): boolean => taken < places && (callers.get(who)?.held ?? 0) < share;
  const turnOf = (who: string): number => {
    const caller = callers.get(who) ?? { held: 0, turn: turn - 1 };
    caller.turn = Math.max(turn, caller.turn + 1);
    callers.set(who, caller);
    return caller.turn;
  };
  const take = (who: string, its: number): void => {
    taken++;
    callers.get(who)!.held++;
    turn = Math.max(turn, its);
  };
  const forget = (who: string): void => {
    if (callers.get(who)?.held === 0 && !waiting.some((entry) => entry.who === who)) callers.delete(who);
  };
  const leave = (who: string): void => {
    taken--;
    callers.get(who)!.held--;
    for (let next = chooseNext(); next; next = chooseNext()) {
      waiting.splice(waiting.indexOf(next), 1);
      take(next.who, next.turn);
      next.go();
    }
    forget(who);
  };
  /** Of those who may, whose turn it is; of these, who waits longest. */
  const chooseNext = (): Waiting | undefined => {
    if (taken >= places) return undefined;
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
    if (waiting.length >= queue) makeRoom(who);
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

  /** @throws Failure when nobody waits there more often than `who` would */
  const makeRoom = (who: string): void => {
    const counts = new Map<string, number>();
    for (const entry of waiting) counts.set(entry.who, (counts.get(entry.who) ?? 0) + 1);
    const [most, count] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), [who, 0]);
    if (count <= (counts.get(who) ?? 0) + 1) throw busy();
    waiting.findLast((entry) => entry.who === most)!.giveUp();
  };

  return {
    async run(work, who = '') {
      await enter(who);
      try {
        return await work();
      } finally {
        leave(who);
      }
    },
  };
}
