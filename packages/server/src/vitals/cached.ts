/** A failure is not cached. */
export function cached<T>(milliseconds: number, read: () => Promise<T>): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | undefined;
  return () => {
    if (!last || performance.now() - last.at > milliseconds) {
      const current = { at: performance.now(), answer: read() };
      last = current;
      current.answer.catch(() => {
        if (last === current) last = undefined;
      });
    }
    return last.answer;
  };
}

/** Returns the last result at once (null before the first) and refreshes an old one in the background. */
export function inBackground<T>(oldAfter: (last: T) => number, read: () => Promise<T>): () => T | null {
  let last: { at: number; answer: T } | undefined;
  let isReading = false;
  return () => {
    if (!isReading && (!last || performance.now() - last.at > oldAfter(last.answer))) {
      isReading = true;
      read()
        .then((answer) => (last = { at: performance.now(), answer }))
        .catch(() => undefined)
        .finally(() => (isReading = false));
    }
    return last?.answer ?? null;
  };
}
