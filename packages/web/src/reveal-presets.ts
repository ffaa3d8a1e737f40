export const PRESETS = [
  { value: 'day', label: 'in a day' },
  { value: 'week', label: 'in a week' },
  { value: 'month', label: 'in a month' },
] as const;

/** A UTC date field's value, rounded up to the minute; undefined if it is no preset. */
export function presetTime(preset: string | undefined, now: number): string | undefined {
  const at = new Date(Math.ceil(now / 60_000) * 60_000);
  if (preset === 'day') at.setUTCDate(at.getUTCDate() + 1);
  else if (preset === 'week') at.setUTCDate(at.getUTCDate() + 7);
  else if (preset === 'month') {
    const day = at.getUTCDate();
    at.setUTCMonth(at.getUTCMonth() + 1);
    // A month after 31 January is the end of February.
    if (at.getUTCDate() !== day) at.setUTCDate(0);
  } else return undefined;
  return at.toISOString().slice(0, 16);
}
