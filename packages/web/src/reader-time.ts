/** As `3 May 2026 CEST` or `3 May 2026, 14:00 CEST`; undefined for a reader in UTC. */
export function readerTime(at: Date, precision: keyof typeof FORMATS = 'minutes'): string | undefined {
  if (Number.isNaN(at.getTime()) || at.getTimezoneOffset() === 0) return undefined;
  const shown = FORMATS[precision].format(at);
  return precision === 'day' ? shown.replace(/,? at |, /, ' ') : shown.replace(' at ', ', ');
}

const DAY_PARTS = { day: 'numeric', month: 'long', year: 'numeric', timeZoneName: 'short' } as const;
const MINUTE_PARTS = { ...DAY_PARTS, hour: '2-digit', minute: '2-digit' } as const;
const FORMATS = {
  day: new Intl.DateTimeFormat('en-GB', DAY_PARTS),
  minutes: new Intl.DateTimeFormat('en-GB', MINUTE_PARTS),
  seconds: new Intl.DateTimeFormat('en-GB', { ...MINUTE_PARTS, second: '2-digit' }),
};

const DAY = 86_400;
const UNITS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number, from?: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000, 90 * DAY],
  ['day', DAY],
  ['hour', 3_600],
  ['minute', 60],
];

const WORDS = new Intl.RelativeTimeFormat('en');

/** @param isPast the service says that it happened: a reader's clock that is slow must not put it into the future */
export function relativeTime(at: number, now: number, isPast = false): string {
  const seconds = (isPast ? Math.min(at - now, 0) : at - now) / 1000;
  const [unit, length] = UNITS.find(([, size, from = size]) => Math.abs(seconds) >= from) ?? [undefined, 1];
  if (unit === undefined) return seconds > 0 ? 'in less than a minute' : 'just now';
  // Whole days, as a countdown has them.
  return WORDS.format(length > DAY ? Math.round(seconds / length) : Math.trunc(seconds / length), unit);
}
