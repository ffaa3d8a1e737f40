/** Spends points of a limit; negative points are returned to it. */
export interface Spending {
  /** the limit's name; `limit` points per `seconds` */
  name: string;
  limit: number;
  seconds: number;
  who: string;
  points: number;
}

export interface Spent {
  passed: boolean;
  remaining: number;
  msBeforeNext: number;
}

export interface SharedCounts {
  /** @throws if the primary process does not answer */
  spend(spending: Spending): Promise<Spent>;
  /**
   * Takes one of `most` slots of a key until it is released or this process ends.
   * @returns undefined if no slot is free
   * @throws if the primary process does not answer
   */
  hold(key: string, most: number): Promise<(() => void) | undefined>;
}
