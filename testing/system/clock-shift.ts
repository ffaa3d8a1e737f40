/**
 * The text of a module that shifts a process's clock for JavaScript and the embedded database. The monotonic clock is unchanged, as when
 * a machine's clock is wrong or is set.
 */
export function clockShift(shiftMs: number): string {
  return shiftedBy(String(shiftMs));
}

/** The clock jumps forward and back every few seconds. */
export function clockThatJumps(shiftMs: number, everyMs: number): string {
  return shiftedBy(`(Math.floor(performance.now() / ${everyMs}) % 2 === 0 ? ${shiftMs} : -${shiftMs})`);
}

function shiftedBy(expression: string): string {
  return `
    const True = Date;
    const now = () => True.now() + ${expression};
    globalThis.Date = class Date extends True {
      constructor(...given) {
        if (given.length === 0) super(now());
        else super(...given);
      }
      static now() {
        return now();
      }
    };`;
}
