const MILLISECONDS = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
/** Of a leap year. */
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Is `value` a UTC time with exactly three digits of milliseconds and `Z`, and a real date
 * (docs/specification.md#formats)?
 * @example
 * isTime('2026-01-02T03:04:05.678Z'); // true
 * isTime('2026-01-02T03:04:05Z'); // false
 * isTime('2026-02-30T03:04:05.678Z'); // false
 */
export function isTime(value: unknown): value is string {
  // Not by a `Date` and back, which takes six times as long: every canonical string that is read or written has a time.
  if (typeof value !== 'string' || !MILLISECONDS.test(value)) return false;
  const [year, month, day] = [
    Number(value.slice(0, 4)),
    Number(value.slice(5, 7)),
    Number(value.slice(8, 10)),
  ];
  if (day < 1 || day > (DAYS[month - 1] ?? 0)) return false;
  return month !== 2 || day < 29 || isLeap(year);
}

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

const DAY = /^\d{4}-\d\d-\d\d$/;

/**
 * Is `value` a real day, `2026-01-02`?
 * @example
 * isDay('2028-02-29'); // true
 * isDay('2026-02-29'); // false
 */
export function isDay(value: unknown): value is string {
  return typeof value === 'string' && DAY.test(value) && isTime(`${value}T00:00:00.000Z`);
}
