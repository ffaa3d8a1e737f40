/** Asks at most once in so many milliseconds, and answers the same in between. A failure is not kept. */
export function kept<T>(milliseconds: number, ask: () => Promise<T>): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | undefined;
  return () => {
    if (!last || performance.now() - last.at > milliseconds) {
      const mine = { at: performance.now(), answer: ask() };
      last = mine;
      mine.answer.catch(() => {
        if (last === mine) last = undefined;
      });
    }
    return last.answer;
  };
}

/** Answers what was found last, at once, and null before anything was; looks anew beside it when that is old. */
export function inBackground<T>(oldAfter: (last: T) => number, ask: () => Promise<T>): () => T | null {
  let last: { at: number; answer: T } | undefined;
  let asking = false;
  return () => {
    if (!asking && (!last || performance.now() - last.at > oldAfter(last.answer))) {
      asking = true;
      ask()
        .then((answer) => (last = { at: performance.now(), answer }))
        .catch(() => undefined)
        .finally(() => (asking = false));
    }
    return last?.answer ?? null;
  };
}
