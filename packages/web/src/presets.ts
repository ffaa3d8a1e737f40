/** Times to seal until that need no calendar: of the form without scripts the service makes dates, with them the form itself does. */
export const PRESETS = [
  { value: 'day', label: 'in a day' },
  { value: 'week', label: 'in a week' },
  { value: 'month', label: 'in a month' },
] as const;

/** When that is, as a date field in UTC holds it; undefined: it is no preset. To the next full minute. */
export function presetTime(preset: string | undefined, now: number): string | undefined {
  const at = new Date(Math.ceil(now / 60_000) * 60_000);
  if (preset === 'day') at.setUTCDate(at.getUTCDate() + 1);
  else if (preset === 'week') at.setUTCDate(at.getUTCDate() + 7);
  else if (preset === 'month') {
    const day = at.getUTCDate();
    at.setUTCMonth(at.getUTCMonth() + 1);
    // Of 31 January, a month on is the end of February.
    if (at.getUTCDate() !== day) at.setUTCDate(0);
  } else return undefined;
  return at.toISOString().slice(0, 16);
}
