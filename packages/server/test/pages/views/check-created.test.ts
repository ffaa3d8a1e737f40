// Runs without a database.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { madeAnswer } from '../../../../../testing/clients/example-answers.ts';
import { challenge, emptyDraft, pending, sealed, site, viewer } from '../../../../../testing/views.ts';
import { previewChallengePage } from '../../../src/http/pages/signed-in/preview-challenge.tsx';
import { previewEtchPage } from '../../../src/http/pages/signed-in/preview-etch.tsx';
import { load } from '../../../../web/test/built.ts';

const { checkCreated } = (await load('check-created')) as {
  checkCreated: (url: string, sent: object) => Promise<{ words: string; answer: unknown } | null>;
};

const about = { description: 'Herons', category_id: 'science', mode: 'instant' } as const;
const sent = { content: 'svc-tlock:v1|…', ...about };
const withWords = (content: string) => madeAnswer({ content, ...about }).etch;
const etch = withWords(sent.content);

afterEach(() => vi.unstubAllGlobals());

const answer = (shown: object) =>
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ etch: { ...etch, ...shown } })));

it('finds nothing in the etch that was sent', async () => {
  answer({});
  expect(await checkCreated('http://service.test/e/1', sent)).toBeNull();
});

it.each([
  ['etch.description', { description: 'Swans' }],
  ['etch.content', { content: 'Other words.' }],
  ['etch.category.id', { category: { id: 'sports', label: 'Sports' } }],
  ['etch.mode', { mode: 'delayed' }],
  ['etch.hash', { hash: 'f'.repeat(64) }],
])('names the field %s when the service changed it', async (field, shown) => {
  answer(shown);
  const other = await checkCreated('http://service.test/e/1', sent);
  expect(other?.words).toContain(`${field} is `);
  expect(other?.answer).toMatchObject({ etch: shown });
});

it.each(['2099-01-02T03:04', '2099-01-02T03:04:00Z'])('reads the date %s of a form as UTC', async (date) => {
  answer({ mode: 'delayed', reveal_at: '2099-01-02T03:05:00.000Z' });
  const other = await checkCreated('http://service.test/e/1', { ...sent, mode: 'delayed', reveal_at: date });
  expect(other?.words).toContain('expected is "2099-01-02T03:04:00.000Z"');
});

describe('the fields that a preview sends', () => {
  const person = { ...site, viewer };
  const opens = '2099-01-02T03:04:00.000Z';
  const data = { topic: 'Science', revealAt: opens, remaining: 1 };
  const preview = (
    fields: Partial<typeof emptyDraft> & { files?: string; kind?: 'preregistration' },
    answering = {},
  ) =>
    previewEtchPage(person, { ...data, ...answering, draft: { ...emptyDraft, content: 'Words.', ...fields } })
      .html;
  const seal = { mode: 'delayed', category_id: 'science', description: ' Herons\n' } as const;
  const stored = sealed({
    chain: pending,
    description: ' Herons\n',
    category: { id: 'science', label: 'Science' },
    reveal_at: opens,
  });
  const root = `svc-files:v1 root=${'a'.repeat(64)} files=1`;
  const answering = { id: challenge.id, question: challenge.question, topic: 'Science', revealAt: opens };
  const { id, question, url } = challenge;
  const entry = {
    ...sealed({ chain: pending, reveal_at: opens, description: `Sealed answer to: ${question}` }),
    challenge: { id, question, url },
  };
  const asked = { draft: 'd', question, category_id: 'science', reveal_at: opens };
  const made = { ...challenge, reveal_at: opens, category: { id: 'science', label: 'Science' } };

  it.each([
    ['a sealed text', preview({ ...seal, reveal_at: opens.slice(0, 16) }), { etch: stored }],
    [
      'a public text with a time left over',
      preview({ ...about, reveal_at: opens }),
      { etch: withWords('Words.') },
    ],
    ['files', preview({ ...seal, reveal_at: opens, files: root, content: root }), { etch: stored }],
    ['a preregistration', preview({ ...seal, reveal_at: opens, kind: 'preregistration' }), { etch: stored }],
    ['an answer to a challenge', preview({}, { answering }), { etch: entry }],
    ['a challenge', previewChallengePage(person, { ...data, sent: asked }).html, { challenge: made }],
  ])('pass the check of what was stored: %s', async (_, html, answered) => {
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json(answered)));
    const hidden = [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
    const fields = Object.fromEntries(hidden.map(([, name, value]) => [name, value]));
    expect(fields).toHaveProperty('draft');
    expect(Object.values(fields)).not.toContain('');
    expect(await checkCreated('http://service.test/e/1', { ...fields, step: 'etch' })).toBeNull();
  });

  it('pass it from an older page, which sent blank fields', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ etch: entry })));
    const blank = { description: '', category_id: '', mode: '', reveal_at: '', challenge_id: id };
    expect(await checkCreated('http://service.test/e/1', { content: 'Words.', ...blank })).toBeNull();
  });
});
