import { expect, test } from 'vitest';
import { isDay, isTime } from '../src/time.ts';

const digits = (value: number, width: number): string => String(value).padStart(width, '0');

/** What a time is by the platform: one that is written back unchanged. */
function byDate(value: string): boolean {
  const date = new Date(value);
  return !Number.isNaN(date.getTime()) && date.toISOString() === value;
}

test('a time is real exactly when the platform writes it back unchanged', () => {
  const differs: string[] = [];
  for (const year of [0, 4, 100, 400, 1900, 1999, 2000, 2023, 2024, 2100, 9999])
    for (let month = 0; month <= 13; month++)
      for (let day = 0; day <= 32; day++) {
        const time = `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}T23:59:59.999Z`;
        if (isTime(time) !== byDate(time)) differs.push(time);
      }
  for (let hour = 0; hour <= 25; hour++)
    for (const rest of ['00:00.000', '59:59.999', '60:00.000', '00:60.000', '99:99.000']) {
      const time = `2024-02-29T${digits(hour, 2)}:${rest}Z`;
      if (isTime(time) !== byDate(time)) differs.push(time);
    }
  expect(differs).toEqual([]);
});

test('other ways to write a time are none, nor is what is no text', () => {
  for (const value of [
    '2024-02-29T01:02:03Z',
    '2024-02-29T01:02:03.004+00:00',
    '2024-02-29T01:02:03.004z',
    ' 2024-02-29T01:02:03.004Z',
    '+02024-02-29T01:02:03.004Z',
    null,
    7,
  ])
    expect(isTime(value)).toBe(false);
  expect([isDay('2028-02-29'), isDay('2026-02-29'), isDay('2026-2-9')]).toEqual([true, false, false]);
});
