// Counts that the processes of one machine share: spent points of limits, and slots.
export interface SpendRequest {
  name: string;
  limit: number;
  seconds: number;
  who: string;
  points: number;
}

export interface SpendResult {
  passed: boolean;
  remaining: number;
  msBeforeNext: number;
}

export interface SharedCounts {
  spend(spending: SpendRequest): Promise<SpendResult>;
  /**
   * Ends with this process at the latest.
   * @returns undefined if none is free
   */
  hold(key: string, most: number): Promise<(() => void) | undefined>;
}

export function createKeySlots(): { hold(key: string, most: number): (() => void) | undefined } {
  const held = new Map<string, number>();
  return {
    hold(key, most) {
      const here = held.get(key) ?? 0;
      if (here >= most) return undefined;
      held.set(key, here + 1);
      let released = false;
      return () => {
        if (released) return;
        released = true;
        const left = held.get(key)! - 1;
        if (left > 0) held.set(key, left);
        else held.delete(key);
      };
    },
  };
}
