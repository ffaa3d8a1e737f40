import { Failure } from '../errors/failure.ts';

export interface CoalesceOptions {
  /** how many runs may be under way at once */
  slots: number;
  /** how many items one run takes at most */
  most: number;
  /** for how many waiting items another run starts beside one that is under way (1): small ones cost more than they save */
  beside?: number;
  /** whether a run waits a little for those whom the last one answered, who often come again at once; it lasts longer than that */
  gathers?: boolean;
  /** how many items may wait (default as many as come) */
  queue?: number;
  /** completes the refusal of one more: "too many … at once" */
  what?: string;
}

/** For half as long as the last run lasted, and no longer than this. */
const LONGEST_GATHERING_MS = 10;

/**
 * Lets concurrent callers share one run: items wait while one is under way and go together when it ends, or beside it
 * when they have become many.
 * An item given to a run began before the run did, so a read sees every write acknowledged before it.
 * `run` answers in the order of its items; an `Error` among the answers rejects its own item only.
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

  /** While it runs, the next run waits for so many. */
  let gathering: { timer: NodeJS.Timeout; until: number } | undefined;

  const gather = (until: number, lasted: number): void => {
    const timer = setTimeout(start, Math.min(LONGEST_GATHERING_MS, lasted / 2));
    gathering = { timer, until };
  };

  const mayStart = (): boolean =>
    busy === 0 ? queue.length > 0 : busy < options.slots && queue.length >= (options.beside ?? 1);

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
      // Said at once: who waited longer would be told the same, or would have gone.
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
