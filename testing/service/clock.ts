export interface TestClock {
  now(): number;
  measure(): Promise<void>;
  set(time: number | string): void;
  advance(milliseconds: number): void;
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
