// Runs without a database.
import { expect, test } from 'vitest';
import { sectionWords } from '@svc/protocol/conventions';
import { PREREGISTRATION } from '@svc/web/parts/etch-draft';
import { problemText } from '@svc/web/parts/form';
import { presetTime } from '@svc/web/reveal-presets';
import { composeWords } from '../../../src/http/pages/signed-in/forecast-form.ts';
import { previewChallengePage } from '../../../src/http/pages/signed-in/preview-challenge.tsx';
import { previewEtchPage } from '../../../src/http/pages/signed-in/preview-etch.tsx';
import { writePage } from '../../../src/http/pages/signed-in/write.tsx';
import { challenge, emptyDraft, site, textOf, viewer } from '../../../../../testing/views.ts';

const person = { ...site, viewer };
const preview = (fields: Partial<typeof emptyDraft>, revealAt: string | null = null) =>
  previewEtchPage(person, {
    draft: {
      ...emptyDraft,
      content: 'The heron left the weir at dawn.',
      description: 'About a bird',
      category_id: 'science',
      mode: 'instant',
      ...fields,
    },
    revealAt,
    remaining: 1,
  }).html;

test('the preview warns when a description gives away part of the text', () => {
  expect(preview({ description: 'why the HERON, left <the> pond' })).toMatch(
    /gives “<bdi>the heron left the<\/bdi>” of the text away/,
  );
  expect(preview({ description: 'About the heron at the weir' })).not.toContain('of the text away');
});

test('lists each error in one sentence, in the order of the fields and next to the field', () => {
  const messages = [
    ['reveal_at', 'must lie at least 300 seconds ahead'],
    ['content', 'is required'],
    ['description', 'must have at most 140 characters'],
    ['forecast_0', '72% is not a probability'],
    ['elsewhere', 'is nobody’s to mend'],
  ] as const;
  const problem = { message: 'no', details: messages.map(([path, message]) => ({ path, message })) };
  const draft = { ...emptyDraft, mode: 'delayed' };
  const { html } = writePage(person, { draft, problem, leadSeconds: 300 });
  const links = [...html.matchAll(/<a href="#(\w+)"><bdi>([^<]*)/g)].map(([, at, said]) => `${at}: ${said}`);
  expect(links).toEqual([
    'forecast_0: “yes”: 72% is not a probability.',
    'content: Write your words.',
    'description: The description must have at most 140 characters.',
    'reveal_at: The time at which it opens must lie at least 5 min ahead.',
  ]);
  for (const said of links)
    expect(html.split(said.slice(said.indexOf(':') + 2)).length, said).toBeGreaterThan(2);
});

test('the preview shows a sealed etch as strangers see it, and offers a copy only for it', () => {
  const text = textOf(preview({}, '2026-12-01T10:00:00.000Z'));
  expect(text).toMatch(/Public now.*@ada.*Hidden until 1 December 2026, 10:00 UTC.*Keep a copy/);
  expect(textOf(preview({}))).not.toMatch(/Hidden until|Keep a copy/);
});

test('a preset is the next full minute after a day, a week or a month, at most the end of that month', () => {
  const from = (preset: string, at: string) => presetTime(preset, Date.parse(at));
  expect(from('day', '2026-12-31T10:00:00.001Z')).toBe('2027-01-01T10:01');
  expect(from('week', '2026-12-31T10:00:00.000Z')).toBe('2027-01-07T10:00');
  expect(from('month', '2026-01-31T23:59:30.000Z')).toBe('2026-03-01T00:00');
  expect(from('month', '2026-01-31T10:00:00.000Z')).toBe('2026-02-28T10:00');
  expect(from('month', '2026-12-15T10:00:00.000Z')).toBe('2027-01-15T10:00');
  for (const preset of ['date', undefined]) expect(presetTime(preset, 0)).toBeUndefined();
});

const asked = (question: string): string =>
  previewChallengePage(person, {
    sent: { draft: challenge.id, question, category_id: 'science', reveal_at: '2026-02-01T00:00' },
    topic: 'Science',
    revealAt: challenge.reveal_at,
    remaining: 1,
  }).html;
test('each part of a preview leads back to its field, without scripts', () => {
  const targets = (html: string): string[] =>
    [
      ...html.matchAll(
        /<button type="submit" form="composer" formAction="([^"]+)" name="step" value="edit"/gi,
      ),
    ].map(([, target]) => target!);
  expect(targets(asked('Where? Criteria: the count. [paris|rome]'))).toEqual([
    '/challenges/new#category_id',
    '/challenges/new#question',
    '/challenges/new#outcomes',
    '/challenges/new#criteria',
    '/challenges/new#source',
    '/challenges/new#reveal_at',
  ]);
  const answering = { id: challenge.id, question: 'Rain? [yes|no]', topic: 'Science' };
  const draft = { ...emptyDraft, content: 'svc-forecast:v1 yes=0.7\nClouds.', challenge_id: challenge.id };
  const { html } = previewEtchPage(person, { draft, answering, revealAt: null, remaining: 1 });
  expect(targets(html)).toEqual(['/write#forecast', '/write#content']);
  expect(targets(preview({}))).toEqual([]);
});

const forecast = (content: string): string => preview({ content, description: 'Where?' });

test.each([
  [asked, 'Where? [p\u0430ris|rome]', 'Where? [paris|rome]'],
  [forecast, 'svc-forecast:v1 p\u0430ris=0.4 rome=0.6', 'svc-forecast:v1 paris=0.4 rome=0.6'],
])('the preview warns of an outcome in several scripts, %$', (shown, mixed, plain) => {
  expect(shown(mixed)).toContain('the outcome p\u0430ris mixes letters of Cyrillic and Latin');
  expect(shown(plain)).not.toContain('mixes letters');
});

test('the counter of a preregistration counts the line feed between files and sections', () => {
  const files = `svc-files:v1\n${'ab'.repeat(32)}  plan.txt`;
  const sections = { Hypothesis: 'It rains.' };
  const draft = { ...emptyDraft, kind: PREREGISTRATION, sections, files } as const;
  const { content } = composeWords(draft, undefined);
  expect(content).toBe(`${files}\n${sectionWords(sections)}`);
  const { html } = writePage(person, { draft, leadSeconds: 300 });
  expect(textOf(html)).toContain(`All sections together: ${[...content].length} of 2,000 characters`);
});

test('a number field is named with its unit, also in the error of a wrong order', () => {
  const answering = { id: challenge.id, question: 'How long? [number: nights]', topic: 'Science' };
  const parts = ['8', '7', ''].map((value, at) => ({ name: `q${[10, 50, 90][at]}`, value }));
  const draft = { ...emptyDraft, challenge_id: challenge.id, parts };
  const missing = writePage(person, {
    draft,
    answering,
    problem: { message: 'no', details: composeWords(draft, answering.question).wrong },
    leadSeconds: 300,
  });
  const order = 'must be at least 8 nights, the number for 10 %';
  for (const said of ['Give a number for “90 % chance of at most … nights”.', order])
    expect(textOf(missing.html)).toContain(said);
  parts[2]!.value = '9';
  expect(composeWords(draft, answering.question).wrong).toEqual([{ path: 'forecast_1', message: order }]);
});

test('an error that says how a field ends continues the name of the field', () => {
  const names = { question: { subject: 'The question', missing: 'Write the question' } };
  const details = [{ path: 'question', message: 'ends in brackets: remove them' }];
  const [field] = problemText({ message: 'no', details }, names)!.fields;
  expect(field!.sentence).toBe('The question ends in brackets: remove them.');
});

const YES_NO = {
  id: challenge.id,
  question: 'Does it rain? Source: https://rain.example [yes|no]',
  topic: 'Science',
};
const answer = { ...emptyDraft, challenge_id: challenge.id };

test('an answer without a chance of yes has its error at the field, and the terms of the question', () => {
  const draft = { ...answer, parts: [{ name: 'yes', value: '' }] };
  const details = composeWords(draft, YES_NO.question).wrong;
  const { html } = writePage(person, {
    draft,
    answering: YES_NO,
    problem: { message: 'no', details },
    leadSeconds: 300,
  });
  expect(html).toContain('<a href="#forecast_0"><bdi>Give the chance of yes.');
  expect(html).toMatch(/id="forecast_0"[^>]* aria-invalid="true"/);
  expect(html).toMatch(/<a href="\/challenges" aria-current="true"/);
  expect(textOf(html)).toMatch(/Source\s*https:\/\/rain\.example/);
});

test('the preview of chances alone offers no words to save, and says once when they open', () => {
  const answering = { ...YES_NO, revealAt: '2026-12-01T10:00:00.000Z' };
  const shown = (content: string): string =>
    textOf(
      previewEtchPage(person, {
        draft: { ...answer, content },
        answering,
        revealAt: answering.revealAt,
        remaining: 1,
      }).html,
    );
  const chances = shown('svc-forecast:v1 yes=0.7');
  expect(chances).toMatch(/Does it rain\?.*yes 70 %/);
  expect(chances).not.toMatch(/Length|Keep a copy/);
  expect(chances.split('1 December 2026')).toHaveLength(2);
  expect(shown('svc-forecast:v1 yes=0.7\n\nClouds.')).toMatch(/Length.*Keep a copy/);
});

test('an error of a length writes the figure as the counter does', () => {
  const details = [{ path: 'content', message: 'must have at most 2000 characters' }];
  const { html } = writePage(person, {
    draft: emptyDraft,
    problem: { message: 'no', details },
    leadSeconds: 300,
  });
  expect(html).toContain('Your words must have at most 2,000 characters.');
});
