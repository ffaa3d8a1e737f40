import { expect, test } from 'vitest';
import { presetTime, previewEtchPage, writePage } from '../src/index.ts';
import { emptyDraft, site, textOf, viewer } from '../../../testing/views.ts';

const preview = (description: string, revealAt: string | null = null) =>
  previewEtchPage(
    { ...site, viewer },
    {
      draft: {
        ...emptyDraft,
        ...{
          content: 'The heron left the weir at dawn.',
          description,
          category_id: 'science',
          mode: 'instant',
        },
      },
      topic: 'Science',
      revealAt,
      remaining: 1,
    },
  ).html;

test('the preview warns when a description gives away part of the text', () => {
  expect(preview('why the HERON, left <the> pond')).toMatch(
    /gives “<bdi>the heron left the<\/bdi>” of the text away/,
  );
  expect(preview('About the heron at the weir')).not.toContain('of the text away');
});

test('lists each error in one sentence, in the order of the fields and next to the field', () => {
  const messages = [
    ['reveal_at', 'must lie at least 300 seconds ahead'],
    ['content', 'is required'],
    ['description', 'must have at most 140 characters'],
    ['forecast_0', '72% is not a probability'],
    ['elsewhere', 'is nobody’s to mend'],
  ] as const;
  const { html } = writePage(
    { ...site, viewer },
    {
      draft: { ...emptyDraft, mode: 'delayed' },
      problem: { message: 'no', details: messages.map(([path, message]) => ({ path, message })) },
      leadSeconds: 300,
    },
  );
  const told = [...html.matchAll(/<a href="#(\w+)"><bdi>([^<]*)/g)].map(([, at, said]) => `${at}: ${said}`);
  expect(told).toEqual([
    'forecast_0: “yes”: 72% is not a probability.',
    'content: Write your words.',
    'description: The description must have at most 140 characters.',
    'reveal_at: The time at which it opens must lie at least 5 min ahead.',
  ]);
  for (const said of told)
    expect(html.split(said.slice(said.indexOf(':') + 2)).length, said).toBeGreaterThan(2);
});

test('the preview shows a sealed etch as strangers see it, and offers a copy only for it', () => {
  const text = textOf(preview('About a bird', '2026-12-01T10:00:00.000Z'));
  expect(text).toMatch(/Public now.*@ada.*Hidden until 1 December 2026, 10:00:00 UTC.*Keep a copy/);
  expect(textOf(preview('About a bird'))).not.toMatch(/Hidden until|Keep a copy/);
});

test('a preset is the next full minute after a day, a week or a month, at most the end of that month', () => {
  const from = (preset: string, at: string) => presetTime(preset, Date.parse(at));
  expect(from('day', '2026-12-31T10:00:00.001Z')).toBe('2027-01-01T10:01');
  expect(from('week', '2026-12-31T10:00:00.000Z')).toBe('2027-01-07T10:00');
  expect(from('month', '2026-01-31T23:59:30.000Z')).toBe('2026-03-01T00:00');
  expect(from('month', '2026-01-31T10:00:00.000Z')).toBe('2026-02-28T10:00');
  expect(from('month', '2026-12-15T10:00:00.000Z')).toBe('2027-01-15T10:00');
  expect([from('date', '2026-12-15T10:00:00.000Z'), presetTime(undefined, 0)]).toEqual([
    undefined,
    undefined,
  ]);
});
