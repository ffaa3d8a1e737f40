/** A signature is accepted for five minutes. */
const MOST_OFF_MS = 60_000;

export function clockWords(other: number | null | undefined, whose = 'the service’s'): string | undefined {
  const here = Date.now();
  if (other == null || Math.abs(other - here) <= MOST_OFF_MS) return undefined;
  return `This machine’s clock says ${timeOf(here)}, ${whose} says ${timeOf(other)}: set this machine’s clock.`;
}

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString();
