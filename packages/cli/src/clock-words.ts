/** Less is no fault: every signature of a moment is taken for five minutes. */
const MOST_OFF_MS = 60_000;

/** What to say when this machine’s clock and another one differ; undefined when they agree, or the other one is unknown. */
export function clockWords(other: number | null | undefined, whose = 'the service’s'): string | undefined {
  const here = Date.now();
  if (other == null || Math.abs(other - here) <= MOST_OFF_MS) return undefined;
  return `This machine’s clock says ${timeOf(here)}, ${whose} says ${timeOf(other)}: set this machine’s clock.`;
}

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString();
