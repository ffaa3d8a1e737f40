const MILLISECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * Is `value` a UTC time with exactly three digits of milliseconds and `Z`, and a real date
 * (docs/specification.md#formats)?
 */
export function isTime(value: unknown): value is string {
  if (typeof value !== 'string' || !MILLISECONDS.test(value)) return false;
  const date = new Date(value);
  // `T24:00:00.000Z` parses, as the next day: only a time that is written back unchanged is the canonical one.
  return !Number.isNaN(date.getTime()) && date.toISOString() === value;
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Is `value` a real day, `2026-01-02`? */
export function isDay(value: unknown): value is string {
  return typeof value === 'string' && DAY.test(value) && isTime(`${value}T00:00:00.000Z`);
}
