const MILLISECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * A real date as `YYYY-MM-DDTHH:MM:SS.sssZ` (docs/specification.md#formats).
 * @example
 * isTime('2026-01-02T03:04:05.678Z'); // true
 * isTime('2026-01-02T03:04:05Z'); // false
 */
export function isTime(value: unknown): value is string {
  if (typeof value !== 'string' || !MILLISECONDS.test(value)) return false;
  const date = new Date(value);
  // `T24:00:00.000Z` parses as the next day.
  return !Number.isNaN(date.getTime()) && date.toISOString() === value;
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/**
 * @example
 * isDay('2028-02-29'); // true
 * isDay('2026-02-29'); // false
 */
export function isDay(value: unknown): value is string {
  return typeof value === 'string' && DAY.test(value) && isTime(`${value}T00:00:00.000Z`);
}
