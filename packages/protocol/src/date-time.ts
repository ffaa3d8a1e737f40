import { isTime } from './time.ts';

const RFC_3339 =
  /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/**
 * A `date-time` of a request (docs/specification.md#formats) as `YYYY-MM-DDTHH:MM:SS.sssZ`. Cuts digits
 * beyond the millisecond. Null without a time or zone, for an invalid date, a leap second, or a year outside
 * 0000 to 9999.
 * @example
 * parseDateTime('2026-01-02T03:04:05+02:00'); // '2026-01-02T01:04:05.000Z'
 * parseDateTime('2026-02-30T03:04:05Z'); // null
 */
export function parseDateTime(text: string): string | null {
  const [, date, time, fraction = '', sign, hours, minutes] = RFC_3339.exec(text) ?? [];
  const written = `${date}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
  if (!isTime(written)) return null;
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  const utc = new Date(Date.parse(written) + (sign === '-' ? offset : -offset));
  const year = utc.getUTCFullYear();
  return year < 0 || year > 9999 ? null : utc.toISOString();
}
