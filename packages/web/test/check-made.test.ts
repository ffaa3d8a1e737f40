import { afterEach, expect, it, vi } from 'vitest';
import { madeAnswer } from '../../../testing/clients/example-answers.ts';
import { load } from './built.ts';

const { checkMade } = (await load('check-made')) as {
  checkMade: (url: string, sent: object) => Promise<{ words: string; answer: unknown } | null>;
};

const about = { description: 'Herons', category_id: 'science', mode: 'instant' } as const;
const sent = { content: 'svc-tlock:v1|…', ...about };
const { etch } = madeAnswer(sent);

afterEach(() => vi.unstubAllGlobals());

const answer = (shown: object) =>
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ etch: { ...etch, ...shown } })));

it('finds nothing in the etch that was sent', async () => {
  answer({});
  expect(await checkMade('http://service.test/e/1', sent)).toBeNull();
});

it.each([
  ['etch.description', { description: 'Swans' }],
  ['etch.content', { content: 'Other words.' }],
  ['etch.category.id', { category: { id: 'sports', label: 'Sports' } }],
  ['etch.mode', { mode: 'delayed' }],
  ['etch.hash', { hash: 'f'.repeat(64) }],
])('names the field %s when the service changed it', async (field, shown) => {
  answer(shown);
  const other = await checkMade('http://service.test/e/1', sent);
  expect(other?.words).toContain(`${field} is `);
  expect(other?.answer).toMatchObject({ etch: shown });
});

it.each(['2099-01-02T03:04', '2099-01-02T03:04:00Z'])('reads the date %s of a form as UTC', async (date) => {
  answer({ mode: 'delayed', reveal_at: '2099-01-02T03:05:00.000Z' });
  const other = await checkMade('http://service.test/e/1', { ...sent, mode: 'delayed', reveal_at: date });
  expect(other?.words).toContain('expected is "2099-01-02T03:04:00.000Z"');
});
