/** The service accepts a signature for five minutes, so a smaller difference does no harm. */
const MOST_OFF_MS = 60_000;

/** A warning when this machine’s clock differs from another one; undefined when they agree, or the other clock is unknown. */
export function clockWords(other: number | null | undefined, whose = 'the service’s'): string | undefined {
  const here = Date.now();
  if (other == null || Math.abs(other - here) <= MOST_OFF_MS) return undefined;
  return `This machine’s clock says ${timeOf(here)}, ${whose} says ${timeOf(other)}: set this machine’s clock.`;
}

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString();
