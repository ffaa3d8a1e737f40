const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysIn(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leap ? 29 : (DAYS[month - 1] ?? 0);
}

/**
 * A `date-time` of a request (docs/specification.md#formats) as `YYYY-MM-DDTHH:MM:SS.sssZ`. Cuts digits
 * beyond the millisecond. Null without a time or zone, for an invalid date, a leap second, or a year outside
 * 0000 to 9999.
 * @example
 * parseDateTime('2026-01-02T03:04:05+02:00'); // '2026-01-02T01:04:05.000Z'
 * parseDateTime('2026-02-30T03:04:05Z'); // null
 */
export function parseDateTime(text: string): string | null {
  const parts = RFC_3339.exec(text);
  if (parts === null) return null;
  const [
    ,
    year,
    month,
    day,
    hour,
    minute,
    second,
    fraction = '',
    sign,
    offsetHour = '0',
    offsetMinute = '0',
  ] = parts;
  const [y, mo, d, h, mi, s, oh, om] = [year, month, day, hour, minute, second, offsetHour, offsetMinute].map(
    Number,
  ) as [number, number, number, number, number, number, number, number];
  if (mo < 1 || mo > 12 || d < 1 || d > daysIn(y, mo)) return null;
  if (h > 23 || mi > 59 || s > 59 || oh > 23 || om > 59) return null;

  const at = new Date(0);
  // Date.UTC reads the years 0 to 99 as 1900 to 1999.
  at.setUTCFullYear(y, mo - 1, d);
  at.setUTCHours(h, mi, s, Number(fraction.slice(0, 3).padEnd(3, '0')));
  const offset = (oh * 60 + om) * 60_000;
  const utc = new Date(sign === '-' ? at.getTime() + offset : at.getTime() - offset);
  const utcYear = utc.getUTCFullYear();
  return utcYear < 0 || utcYear > 9999 ? null : utc.toISOString();
}
