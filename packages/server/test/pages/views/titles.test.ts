// Runs without a database.
import { parseQuestion } from '@svc/protocol/conventions';
import { expect, test } from 'vitest';
import { withAnswerCard, withEtchCard } from '@svc/web/parts/etch-card';
import { embedPage } from '@svc/web/sharing/embed';
import { etchCard } from '@svc/web/cards/card';
import { etchPage } from '../../../src/http/pages/etch.tsx';
import type { ShownEtch } from '@svc/web/etch-text';
import { topicPage } from '../../../src/http/pages/topic.tsx';
import { verifyEtchPage } from '../../../src/http/pages/verify-etch.tsx';
import { challenge, etch, pending, retracted, sealed, site, textOf } from '../../../../../testing/views.ts';

const TARGET = 'ba2700ee-b11f-45fe-a934-06098975d379';
const page = { number: 1, pages: 1, total: 1, limit: 30 };
const mainOf = (html: string): string => html.slice(html.indexOf('<article'), html.indexOf('</main>'));
const listOf = (one: ShownEtch) =>
  topicPage(site, { category: { id: 'ai', label: 'AI' }, etches: [one], page });
const card = (one: ShownEtch): string => mainOf(listOf(one).html);
const found = (q: string, one: ShownEtch): string => card(withEtchCard(one, { site, hit: q }));

test('a resolution is titled in words, and its card says what came true', () => {
  const description = `svc-resolution:v1 ${TARGET}`;
  const content = `${description} 8 https://example.org/frost\nThe station’s count.`;
  const resolution = etch({ description, content });
  expect(textOf(card(resolution))).toMatch(
    /Stated outcome: 8.*Outcome: 8 · Source: https:\/\/example\.org\/frost *The station’s count\./,
  );
  expect(card(resolution)).not.toContain('svc-resolution');
  const { html } = etchPage(site, resolution);
  expect(html).toMatch(/<h1><bdi>Stated outcome: 8</);
  expect(html).toContain(`href="/search?q=${TARGET}"`);
  expect(card(retracted({ description: `${description} Nights of frost` }))).toContain(
    '<bdi>Resolution: Nights of frost<',
  );
  expect(found(TARGET, resolution)).not.toContain('svc-resolution');
  const subject = { path: `/ch/${TARGET}`, title: 'How many nights of frost?', unit: ' nights' };
  const about = { ...etch({ description, content }), subject };
  expect(card(about)).toContain('<bdi>Resolved 8 nights: How many nights of frost?<');
  expect(textOf(card(about))).toMatch(/^ *Resolved *2 January/);
  expect(textOf(card({ ...about, chain: pending }))).toMatch(/^ *Public *Not anchored yet/);
  expect(etchPage(site, about).html).toMatch(
    new RegExp(`href="/ch/${TARGET}"><bdi>How many nights of frost\\?<`),
  );
  const gone = etch({ description, content: `${description} void the gauge broke` });
  expect(card(gone)).toContain('<bdi>Stated outcome: void<');
  for (const other of ['svc-resolution:v1', `svc-resolution:v2 ${TARGET}`, `svc-resolution:v1 ${TARGET}x`])
    expect(card(etch({ description: other }))).toContain(`<bdi>${other}<`);
});

test('an opened answer is not titled as sealed, and an author’s own title stays', () => {
  const description = 'Sealed answer to: Which day?';
  const answers = { id: challenge.id, question: 'Which day?', url: challenge.url };
  expect(card(sealed({ description, challenge: answers }))).toContain('<bdi>Sealed answer to: Which day?<');
  expect(card(etch({ description, challenge: answers }))).toContain('<bdi>Answer to: Which day?<');
  expect(card(etch({ description }))).toContain('<bdi>Sealed answer to: Which day?<');
});

test('no surface shows the syntax of a forecast or of a question', () => {
  const question = 'Does it rain? [yes|no]';
  const description = `Sealed answer to: ${question}`;
  const answer = etch({
    description,
    content: 'svc-forecast:v1 yes=0.72\nThe wind turns.',
    canonical_string: 'svc:v1|svc-forecast:v1 yes=0.72',
    challenge: { id: challenge.id, question, url: challenge.url },
  });
  const drawn = { title: 'Answer to: Does it rain?', words: 'yes 72 % The wind turns.' };
  expect(etchCard(site, answer)).toMatchObject(drawn);
  const parts = { style: '', styleHash: '' };
  for (const html of [card(answer), embedPage(site, answer, parts), found('wind', answer)]) {
    expect(html).toContain('Answer to: Does it rain?');
    expect(textOf(html)).toMatch(/yes 72 %\s*The wind turns\./);
    expect(html).not.toMatch(/svc-forecast|yes\|no/);
  }
  const { html } = etchPage(site, answer);
  const raw = html.indexOf('Exactly what was hashed');
  expect(html.slice(0, raw)).not.toMatch(/svc-forecast|yes\|no/);
  expect(html.slice(raw)).toContain('svc-forecast:v1 yes=0.72');
});

test('the link to an erased answer does not name it sealed', () => {
  const answers = { id: challenge.id, question: 'Which day?', url: challenge.url };
  for (const gone of [
    retracted({ challenge: answers }),
    { ...retracted({ challenge: answers }), retraction_reason: 'illegal' as const },
  ]) {
    const text = textOf(withAnswerCard(gone, parseQuestion('Which day?')).card!);
    expect(text).toContain('What is left of the answer');
    expect(text).not.toContain('sealed');
  }
});

test('an answer that the question does not ask for is in words too', () => {
  const content = `svc-files:v1 root=${'a'.repeat(64)} files=2\nThe data.`;
  const shown = withAnswerCard(etch({ content }), parseQuestion('Which data?')).card!;
  expect(textOf(shown)).toMatch(/2 files\s*The data\./);
  expect(shown).not.toContain('svc-files');
});

test('the page of a log or a scope shows its fields and its note, not its first lines', () => {
  for (const [content, field] of [
    [`svc-log:v1 root=${'c'.repeat(64)} lines=120\nThe note.`, '120 lines'],
    ['svc-scope:v1\nsubject Elections\ndomain example.org\n\nThe note.', 'Elections'],
  ] as const) {
    const { html } = etchPage(site, etch({ content }));
    const words = html.slice(html.indexOf('<blockquote'), html.indexOf('</blockquote>'));
    expect(textOf(words)).toBe('The note.');
    expect(html).toContain(field);
  }
});

test('a card shows names of files without hashes, and no empty lines', () => {
  const files = `svc-files:v1\n${'a'.repeat(64)}  trial.csv\n${'b'.repeat(64)}  notes.pdf\n`;
  const listed = () => etch({ content: files });
  for (const html of [card(listed()), found('description', listed())])
    expect(textOf(html)).toContain('2 files · trial.csv · notes.pdf');
  expect(card(listed())).not.toContain('aaaa');
  expect(found('aaaa', listed())).toContain('<mark><bdi>aaaa</bdi></mark>');
  const spaced = etch({ content: 'One.\n\n \t\r\nTwo.\nThree.' });
  expect(card(spaced)).toContain('<bdi>One.\nTwo.\nThree.</bdi>');
  expect(etchPage(site, spaced).html).toContain('One.\n\n \t\nTwo.');
});

test('a takedown is not attributed to the author', () => {
  const by = { retraction_reason: 'personal_data' } as const;
  const down = { ...retracted(), ...by } as ReturnType<typeof etch>;
  for (const html of [card(down), mainOf(etchPage(site, down).html)]) {
    expect(textOf(html)).toContain('Taken down');
    expect(textOf(html)).not.toMatch(/Retracted|by its author/);
  }
  expect(textOf(card(retracted()))).toContain('Retracted');
  const sentence =
    'The operator of this service took the words down, because it contained personal data of another person.';
  expect(textOf(verifyEtchPage(site, { etch: down, checks: null }).html)).toContain(sentence);
  expect(textOf(verifyEtchPage(site, { etch: retracted(), checks: null }).html)).not.toContain('operator');
});

test('shows the verdict before the note about updates', () => {
  const { html } = etchPage(site, etch({ chain: pending }));
  expect(html.indexOf('id="standing"')).toBeLessThan(html.indexOf('data-live-note'));
});

test('the page of an etch shows verdict, words and sharing first, and folds the technical details', () => {
  const { html } = etchPage(site, etch());
  const order = [
    'data-part="standing"',
    '<blockquote',
    'id="share"',
    '<summary>Technical details<',
    'On the chain',
  ];
  const at = order.map((part) => html.indexOf(part));
  expect(at).toEqual([...at].sort((a, b) => a - b));
  expect(at[0]).toBeGreaterThan(0);
  expect(html).not.toMatch(/data-copy(?:=""|>)/);
  for (const name of ['hash', 'salt', 'author id', 'attestation', 'transaction', 'short link'])
    expect(html).toContain(`data-copy="${name}"`);
  expect(html).toContain('<a href="/about#chain">Chain: ');
});

test('the title and the last link of an answer lead to its challenge, and each time is an element', () => {
  const asked = { id: etch().id, question: 'Does it rain? [yes|no]', url: '' };
  const { html } = etchPage(site, etch({ challenge: asked, description: 'Sealed answer to: Does it rain?' }));
  expect(html).toMatch(/<h1><a href="\/ch\/[^"]+"><bdi>Answer to: Does it rain\?<\/bdi><\/a><\/h1>/);
  expect(mainOf(html).split('href="/ch/')).toHaveLength(3);
  expect(html).toContain(
    'existed by <time datetime="2026-01-02T03:04:45.000Z">2 January 2026, 03:04:45 UTC</time>',
  );
});
