import { Failure } from '../errors/failure.ts';

/** Runs work in a few places; who finds no place in time is sent away. */
export interface Slots {
  /** @throws Failure service_unavailable */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export interface SlotOptions {
  /** how many run at once */
  places: number;
  /** how many may wait */
  queue: number;
  /** how long one may wait, in milliseconds */
  patience: number;
  /** completes the refusal: "too many … at once" */
  what: string;
}

/** A storm of what is dear waits here, and not before the database, where writes would wait with it. */
export function createSlots({ places, queue, patience, what }: SlotOptions): Slots {
  const busy = (): Failure =>
    new Failure('service_unavailable', `too many ${what} at once: try again in a moment`);
  const waiting: (() => void)[] = [];
  let taken = 0;

  const enter = (): Promise<void> | undefined => {
    if (taken < places) {
      taken++;
      return undefined;
    }
    if (waiting.length >= queue) throw busy();
    return new Promise((resolve, reject) => {
      const go = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(go), 1);
        reject(busy());
      }, patience);
      waiting.push(go);
    });
  };

  return {
    async run(work) {
      await enter();
      try {
        return await work();
      } finally {
        // The place goes to who waits longest, or is free.
        const next = waiting.shift();
        if (next) next();
        else taken--;
      }
    },
  };
}
