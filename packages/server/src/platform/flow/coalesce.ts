// Groups items that arrive together into batches, and shares equal work that runs.
import { Failure } from '../failure.ts';

export interface CoalesceOptions {
  slots: number;
  most: number;
  /** items that must wait before a parallel run (default 1) */
  parallelFrom?: number;
  /** a run waits briefly for the callers that the last one answered */
  gathers?: boolean;
  queue?: number;
  what?: string;
}

/** A run waits half as long as the last one took. */
const LONGEST_GATHERING_MS = 10;

/**
 * Items that arrive during a run form the next batch, or a parallel one when many wait. Each arrived before its
 * run began, so a read sees every acknowledged write. `run` answers in order; an `Error` rejects only its item.
 */
export function coalesce<Item, Answer>(
  run: (items: readonly Item[]) => Promise<readonly (Answer | Error)[]>,
  options: CoalesceOptions,
): (item: Item) => Promise<Answer> {
  interface Waiting {
    item: Item;
    resolve: (answer: Answer) => void;
    reject: (error: unknown) => void;
  }
  const queue: Waiting[] = [];
  let busy = 0;
  let scheduled = false;

  let gathering: { timer: NodeJS.Timeout; until: number } | undefined;

  const gather = (until: number, lasted: number): void => {
    const timer = setTimeout(start, Math.min(LONGEST_GATHERING_MS, lasted / 2));
    gathering = { timer, until };
  };

  const mayStart = (): boolean =>
    busy === 0 ? queue.length > 0 : busy < options.slots && queue.length >= (options.parallelFrom ?? 1);

  const start = (): void => {
    scheduled = false;
    clearTimeout(gathering?.timer);
    gathering = undefined;
    while (mayStart()) {
      const taken = queue.splice(0, options.most);
      const began = performance.now();
      busy++;
      let known = 0;
      void run(taken.map((waiting) => waiting.item))
        .finally(() => (known = Math.min(options.most, taken.length + queue.length)))
        .then(
          (answers) => {
            taken.forEach((waiting, index) => {
              const answer = answers[index];
              if (answer instanceof Error) waiting.reject(answer);
              else waiting.resolve(answer as Answer);
            });
          },
          (error: unknown) => taken.forEach((waiting) => waiting.reject(error)),
        )
        .finally(() => {
          busy--;
          if (options.gathers && busy === 0 && queue.length < known && known > 1)
            gather(known, performance.now() - began);
          else start();
        });
    }
  };

  return (item) =>
    new Promise((resolve, reject) => {
      // Waiting would end the same way.
      if (queue.length >= (options.queue ?? Infinity))
        throw new Failure(
          'service_unavailable',
          `too many ${options.what} at once: nothing was written, try again in a moment`,
        );
      queue.push({ item, resolve, reject });
      if (scheduled || !mayStart() || (gathering && queue.length < gathering.until)) return;
      scheduled = true;
      setImmediate(start);
    });
}

/** Equal work that is asked for while it runs is done once. */
export function singleFlight<Result>() {
  const running = new Map<string, Promise<Result>>();
  return (name: string, work: () => Promise<Result>): Promise<Result> => {
    const known = running.get(name);
    if (known) return known;
    const begun = work().finally(() => running.delete(name));
    running.set(name, begun);
    return begun;
  };
}
