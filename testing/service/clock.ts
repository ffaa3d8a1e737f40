export interface TestClock {
  now(): number;
  /** nothing to measure: it is what it was set to */
  measure(): Promise<void>;
  /** Stands still at this time (milliseconds, or a time) from now on. */
  set(time: number | string): void;
  advance(milliseconds: number): void;
  /** Runs with the machine again. */
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
