export interface CoalesceOptions {
  /** how many runs may be under way at once */
  slots: number;
  /** how many items one run takes at most */
  most: number;
  /** for how many waiting items another run starts beside one that is under way (1): small ones cost more than they save */
  beside?: number;
}

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

  const mayStart = (): boolean =>
    busy === 0 ? queue.length > 0 : busy < options.slots && queue.length >= (options.beside ?? 1);

  const start = (): void => {
    scheduled = false;
    while (mayStart()) {
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
      if (scheduled || !mayStart()) return;
      scheduled = true;
      setImmediate(start);
    });
}
