import { Failure } from '../errors/failure.ts';

export interface CoalesceOptions {
  slots: number;
  most: number;
  /** how many items must wait before a run starts in parallel with another (default 1); small runs cost more than they save */
  parallelFrom?: number;
  /** whether a run waits briefly for the callers that the last run answered, who often return at once */
  gathers?: boolean;
  /** default: no limit */
  queue?: number;
  /** names the items in the error: "too many … at once" */
  what?: string;
}

/** A run waits half as long as the last run took, at most this many milliseconds. */
const LONGEST_GATHERING_MS = 10;

/**
 * Lets concurrent callers share one run. Items wait while a run is under way and form the next batch when it ends, or
 * earlier, in parallel, when many wait. Each item of a run arrived before the run began, so a read sees every write
 * acknowledged before it. `run` returns answers in the order of its items; an `Error` among them rejects only its own
 * item.
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

  /** While it is set, the next run waits until this many items are queued. */
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
      // Fail at once: waiting longer would end the same way.
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
