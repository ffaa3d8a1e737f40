export interface TestClock {
  now(): number;
  /** does nothing: the clock has the time that was set */
  measure(): Promise<void>;
  /** Stops the clock at this time (milliseconds, or a time). */
  set(time: number | string): void;
  advance(milliseconds: number): void;
  /** Follows the machine's clock again. */
  release(): void;
}

export function testClock(): TestClock {
  let fixed: number | undefined;
  return {
    now: () => fixed ?? Date.now(),
    measure: () => Promise.resolve(),
    set: (time) => void (fixed = typeof time === 'number' ? time : Date.parse(time)),
    advance(milliseconds) {
      fixed = (fixed ?? Date.now()) + milliseconds;
    },
    release: () => void (fixed = undefined),
  };
}
