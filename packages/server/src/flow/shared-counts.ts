/** Points of a limit: what is spent, or given back when negative. */
export interface Spending {
  /** the limit's name, and how many points there are in how many seconds */
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

/** What the processes of one machine count together. */
export interface SharedCounts {
  /** @throws when nobody counts for all */
  spend(spending: Spending): Promise<Spent>;
  /**
   * Takes one of so many places for this key, until it is released or this process ends.
   * @returns how to release it; undefined when none is free
   * @throws as above
   */
  hold(key: string, most: number): Promise<(() => void) | undefined>;
}
