export interface Spending {
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
  spend(spending: Spending): Promise<Spent>;
  /**
   * Ends with this process at the latest.
   * @returns undefined if none is free
   */
  hold(key: string, most: number): Promise<(() => void) | undefined>;
}
