export interface Dice {
  /** an integer from 0 to `most` - 1 */
  below(most: number): number;
  pick<T>(from: readonly T[]): T;
  chance(oneIn: number): boolean;
  spoil(bytes: Buffer): Buffer;
}

/** Pseudo-random numbers (mulberry32). */
export function seeded(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (most: number) => Math.floor(next() * most);
  return {
    below,
    pick: (from) => from[below(from.length)]!,
    chance: (oneIn) => below(oneIn) === 0,
    spoil(bytes) {
      const at = below(bytes.length);
      const [before, rest] = [bytes.subarray(0, at), bytes.subarray(at)];
      const how = below(3);
      if (how === 0) return Buffer.concat([before, rest.subarray(1)]);
      if (how === 1) return Buffer.concat([before, rest.subarray(0, 1), rest]);
      return Buffer.concat([before, Buffer.of(below(256)), rest.subarray(1)]);
    },
  };
}
