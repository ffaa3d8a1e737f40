/** Calls `ask` at most once per interval and returns the same promise in between. A failure is not cached. */
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

/** Returns the last result at once, or null before the first, and refreshes an old result in the background. */
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
