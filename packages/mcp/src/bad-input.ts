type Kind = abstract new (...given: never[]) => Error;

/** Failures of a parser become a `TypeError`, which a caller can correct. @param words come before its message */
export function orBadInput<Value>(work: () => Value, kind: Kind, words: string): Value {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof kind)) throw error;
    throw new TypeError(`${words}: ${error.message}`, { cause: error });
  }
}
