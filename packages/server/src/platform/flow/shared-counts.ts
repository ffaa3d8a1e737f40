/** Negative points are returned. */
export interface Spending {
  /** `limit` points per `seconds` */
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
  /** @throws without an answer of the primary */
  spend(spending: Spending): Promise<Spent>;
  /**
   * Until released, or until this process ends.
   * @returns undefined if none is free
   * @throws without an answer of the primary
   */
  hold(key: string, most: number): Promise<(() => void) | undefined>;
}
