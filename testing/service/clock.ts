export type TestClock = ReturnType<typeof testClock>;

export function testClock() {
  let fixed: number | undefined;
  return {
    now: () => fixed ?? Date.now(),
    measure: () => Promise.resolve(),
    set: (time: number | string) => void (fixed = typeof time === 'number' ? time : Date.parse(time)),
    advance: (milliseconds: number) => void (fixed = (fixed ?? Date.now()) + milliseconds),
    release: () => void (fixed = undefined),
  };
}
