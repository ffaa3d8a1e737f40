/** Shifts the clock of JavaScript and of the embedded database, but not the monotonic clock. */
export function clockShift(shiftMs: number): string {
  return shiftedBy(String(shiftMs));
}

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
