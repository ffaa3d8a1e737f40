import { expect, test } from 'vitest';
import { previewEtchPage, writePage } from '../src/index.ts';
import { site } from './views.ts';

const preview = (description: string) =>
  previewEtchPage(
    { ...site, viewer: { username: 'ada', displayName: 'Ada' } },
    {
      draft: {
        draft: 'd',
        content: 'The heron left the weir at dawn.',
        forecast: '',
        description,
        category_id: 'science',
        mode: 'instant',
        reveal_at: '',
      },
      topic: 'Science',
      revealAt: null,
      remaining: 1,
    },
  ).html;

test('the preview tells what a description gives away of the text', () => {
  expect(preview('why the HERON, left <the> pond')).toMatch(
    /gives “<bdi>the heron left the<\/bdi>” of the text away/,
  );
  expect(preview('About the heron at the weir')).not.toContain('of the text away');
});

test('what is wrong is told in the order of the fields, each in a sentence, beside the field as well', () => {
  const messages = [
    ['reveal_at', 'must lie at least 300 seconds ahead'],
    ['content', 'is required'],
    ['description', 'must have at most 140 characters'],
    ['forecast_0', '72% is not a probability'],
    ['elsewhere', 'is nobody’s to mend'],
  ] as const;
  const { html } = writePage(
    { ...site, viewer: { username: 'ada', displayName: 'Ada' } },
    {
      draft: {
        draft: 'd',
        content: '',
        forecast: '',
        description: '',
        category_id: '',
        mode: 'delayed',
        reveal_at: '',
      },
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
