// Runs without a database.
import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { apiReferencePage, readReference } from '../../../src/http/pages/api-reference.tsx';
import { site, textOf } from '../../../../../testing/views.ts';

const { chapters } = readReference(site.baseUrl, Date.UTC(2026, 0, 2));
const html = chapters.flatMap(({ parts }) => parts.map((part) => renderToString(part))).join('');

test('each command has the address of the service and a copy button', () => {
  const commands = html.match(/<code[^>]*>curl [^]*?<\/code>/g)!;
  expect(commands.length).toBeGreaterThan(40);
  for (const command of commands) {
    expect(command).toContain(`&quot;${site.baseUrl}/`);
    expect(command).toContain('data-copy="command"');
  }
});

test('the reveal time of a command lies ahead', () => {
  const times = commandsOf('createEtch', 'createChallenge').map(
    (command) => /reveal_at&quot;: &quot;([^&]+)/.exec(command)![1],
  );
  expect(times).toEqual(['2027-01-02T00:00:00Z', '2027-01-02T00:00:00Z']);
});

const commandsOf = (...ids: string[]): string[] =>
  ids.map((id) => /<code[^>]*>(curl [^]*?)<\/code>/.exec(html.slice(html.indexOf(`id="${id}"`)))![1]!);

test('the command of an operation precedes its fields, and only the first kind of body is unfolded', () => {
  const operation = html.slice(html.indexOf('id="createEtch"'), html.indexOf('</article>'));
  expect(operation.indexOf('curl')).toBeLessThan(operation.indexOf('<dl'));
  const kinds = operation.match(/(<summary>)?<h4/g)!;
  expect(kinds).toEqual(['<h4', ...kinds.slice(1).map(() => '<summary><h4')]);
});

test('states the rule of a field in words', () => {
  const text = textOf(html);
  expect(text).toContain('64 lowercase hex digits');
  expect(text).not.toMatch(/matches \^(0x)?\[0-9a-f|\\x00/);
});

test('the reference leads to the guides first, and says what each resource is', () => {
  const overview = readReference(site.baseUrl, Date.UTC(2026, 0, 2));
  const page = apiReferencePage(site, overview, { slug: '', title: 'API reference', entries: [], parts: [] });
  expect(/<nav class="sidebar"[^]*?href="([^"]+)"/.exec(page.html)![1]).toBe('/docs/README');
  expect(textOf(html)).toContain('The tester guide, if it is enabled.');
  expect(textOf(html)).toContain('Example response (201)');
});
