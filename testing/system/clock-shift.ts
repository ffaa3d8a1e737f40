/**
 * A module's text that shifts a process's clock, all that JavaScript and the embedded database see of it. The
 * monotonic counter runs on undisturbed, as it does when a machine's clock is wrong or is set.
 */
export function clockShift(shiftMs: number): string {
  return shiftedBy(String(shiftMs));
}

/** The clock is set forth and back again every few seconds. */
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
