import { describe, expect, it, vi } from 'vitest';
import { challengeCalendar, etchCalendar } from '@svc/web/sharing/calendar';
import { relativeTime } from '../src/reader-time.ts';
import { closedChallenge } from '../../../testing/scored.ts';
import { etch, retracted, sealed, site } from '../../../testing/views.ts';

const lines = (text: string): string[] => text.split('\r\n');
/** Unfolds lines as a calendar does. */
const unfolded = (text: string): string => text.replaceAll('\r\n ', '');

describe('an opening in a calendar', () => {
  const hostile = 'Tide; and, \\ "quotes"\r\nEND:VCALENDAR\n\u202e 😀'.repeat(3);

  it('is one event with correct line ends and folding, for any text', () => {
    const text = etchCalendar(site, sealed({ description: hostile }))!;
    expect(text.endsWith('\r\n')).toBe(true);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n\u202e]/);
    for (const line of lines(text)) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
    expect(text).toContain('\r\n ');
    expect(text).not.toContain('\ufffd');
    expect(lines(unfolded(text)).filter((line) => line.startsWith('END:'))).toEqual([
      'END:VEVENT',
      'END:VCALENDAR',
    ]);
    expect(unfolded(text)).toContain('SUMMARY:Opens: Tide\\; and\\, \\\\ "quotes" END:VCALENDAR [U+202E] 😀');
    for (const field of ['UID', 'DTSTAMP', 'DTSTART', 'SUMMARY', 'URL'])
      expect(
        lines(unfolded(text)).filter((line) => line.startsWith(`${field}:`)),
        field,
      ).toHaveLength(1);
  });

  it('shows the day and the opening time of a sealed etch, like its page', () => {
    const one = sealed();
    const text = unfolded(etchCalendar(site, one)!);
    for (const line of ['DTSTART:20260503T120000Z', 'DTSTAMP:20260102T000000Z', 'STATUS:CONFIRMED'])
      expect(text).toContain(line);
    expect(text).toContain(`UID:${one.id}@etch.example`);
    expect(text).not.toContain('030405');
  });

  it('is cancelled by a retraction, and does not exist for an instant etch', () => {
    const text = etchCalendar(site, retracted({ reveal_at: '2026-05-03T12:00:00.000Z' }))!;
    expect(text).toContain('STATUS:CANCELLED\r\nSEQUENCE:1\r\n');
    expect(etchCalendar(site, etch())).toBeNull();
  });

  it('is the closing time of a challenge', () => {
    const text = unfolded(challengeCalendar(site, closedChallenge.challenge));
    expect(text).toContain('SUMMARY:Closes\\, and opens: Which day brings the first frost?');
    expect(text).toContain('DTSTART:20260503T120000Z');
  });
});

describe('times on the page', () => {
  it.each([
    [59_000, 'in less than a minute'],
    [-1, 'just now'],
    [3_600_000, 'in 1 hour'],
    [-7_199_000, '1 hour ago'],
    [86_400_000 * 3.9, 'in 3 days'],
    [86_400_000 * 89.9, 'in 89 days'],
    [86_400_000 * 90, 'in 3 months'],
    [-86_400_000 * 170, '6 months ago'],
    [-86_400_000 * 400, '1 year ago'],
  ])('shows %i ms from now as %j', (off, said) => {
    expect(relativeTime(1_000_000_000_000 + off, 1_000_000_000_000)).toBe(said);
  });

  it('shows nothing that happened as still ahead on a slow clock', () => {
    expect(relativeTime(1_620_000, 0, true)).toBe('just now');
    expect(relativeTime(0, 3_600_000, true)).toBe('1 hour ago');
  });

  it('shows the day of a time in the zone of the reader', async () => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    vi.resetModules();
    const { readerTime } = await import('../src/reader-time.ts');
    const at = new Date('2026-05-03T20:00:00.000Z');
    expect(readerTime(at, 'day')).toMatch(/^4 May 2026 \S+$/);
    expect(readerTime(at)).toMatch(/^4 May 2026, 05:00 \S+$/);
    vi.unstubAllEnvs();
  });
});
