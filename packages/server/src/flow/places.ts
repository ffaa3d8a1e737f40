/** Bounds how many of something each key has at once. */
export interface Places {
  /** @returns whether one of so many was free and is taken now */
  hold(key: string, most: number): boolean;
  release(key: string): void;
}

export function createPlaces(): Places {
  const held = new Map<string, number>();
  return {
    hold(key, most) {
      const here = held.get(key) ?? 0;
      if (here >= most) return false;
      held.set(key, here + 1);
      return true;
    },
    release(key) {
      const left = (held.get(key) ?? 0) - 1;
      if (left > 0) held.set(key, left);
      else held.delete(key);
    },
  };
}
