/** How many runs may be under way at once, and how many items one run takes at most. */
export interface CoalesceOptions {
  slots: number;
  most: number;
}

/**
 * Lets concurrent callers share one run: items wait while all slots are busy and go together when one is free.
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

  const start = (): void => {
    scheduled = false;
    while (busy < options.slots && queue.length > 0) {
      const taken = queue.splice(0, options.most);
      busy++;
      void run(taken.map((waiting) => waiting.item))
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
          start();
        });
    }
  };

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject });
      if (scheduled || busy >= options.slots) return;
      scheduled = true;
      setImmediate(start);
    });
}
