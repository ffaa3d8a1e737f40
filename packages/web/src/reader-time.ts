const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' });

/** `14:00 your time`, with the day if it differs; undefined for a reader in UTC. */
export function readerTime(at: Date): string | undefined {
  if (Number.isNaN(at.getTime()) || at.getTimezoneOffset() === 0) return undefined;
  const day = at.getDate() === at.getUTCDate() ? '' : `${DAY.format(at)}, `;
  return `${day}${CLOCK.format(at)} your time`;
}

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

const WORDS = new Intl.RelativeTimeFormat('en');

export function relativeTime(at: number, now: number): string {
  const seconds = (at - now) / 1000;
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? [undefined, 1];
  if (unit === undefined) return seconds > 0 ? 'in less than a minute' : 'just now';
  return WORDS.format(Math.trunc(seconds / length), unit);
}
