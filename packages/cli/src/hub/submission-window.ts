import { inputError, reworded } from '../exit.ts';
import { type Due, isDay } from './read-hub.ts';

export interface SubmissionWindow {
  opens: string;
  closes: string;
}

const QUARTER_MS = 900_000;
const DAY_MS = 86_400_000;
/** No time zone is further from UTC. */
const FARTHEST_QUARTERS = 16 * 4;

/**
 * From the first second of the first day to the last second of the last day, in the hub's time zone, as hubValidations defines it.
 * @param reference the value of `due.relativeTo`
 */
export const submissionWindow = (due: Due, timezone: string, reference: string): SubmissionWindow =>
  reworded(
    () => windowFrom(due, timezone, reference),
    RangeError,
    () => inputError(`submissions_due of hub-config/tasks.json is out of range: ${due.start} to ${due.end}`),
  );

function windowFrom(due: Due, timezone: string, reference: string): SubmissionWindow {
  if (due.relativeTo !== null && !isDay(reference))
    throw inputError(`${due.relativeTo} is ${JSON.stringify(reference)}, not a date (YYYY-MM-DD)`);
  const [first, last] =
    due.relativeTo === null
      ? [due.start, due.end]
      : [addDays(reference, due.start), addDays(reference, due.end)];
  if (first > last)
    throw inputError(`submissions_due of hub-config/tasks.json ends (${last}) before it starts (${first})`);
  return {
    opens: asSecond(startOfDay(first, timezone)),
    closes: asSecond(startOfDay(addDays(last, 1), timezone) - 1000),
  };
}

const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

const asSecond = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/**
 * The first quarter of an hour whose local date is the day or a later one. A search needs no rule for days of 23 or 25 hours, or for days
 * without a midnight.
 */
function startOfDay(day: string, timezone: string): number {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' });
  const utc = Date.parse(day);
  const at = (quarters: number) => utc + quarters * QUARTER_MS;
  let [before, after] = [-FARTHEST_QUARTERS, FARTHEST_QUARTERS];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (format.format(at(middle)) >= day) after = middle;
    else before = middle;
  }
  return at(after);
}
