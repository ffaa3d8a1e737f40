import { expect, it } from 'vitest';
import { SaxesParser } from 'saxes';
import { useService } from '../../../../testing/service/service.ts';
import { useSharedRecord } from './shared-record.ts';

const service = useService();
const shared = useSharedRecord(service);

/** @throws if it is no XML of Atom */
function parseAtom(xml: string): { head: string; entries: string[] } {
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ uri }) => expect(uri).toBe('http://www.w3.org/2005/Atom'));
  parser.write(xml).close();
  const [head, ...entries] = xml.split('<entry>');
  return { head: head!, entries };
}
const NAMES: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&' };
const textsIn = (part: string, name: string): string[] =>
  [...part.matchAll(new RegExp(`<${name}(?: [^>]*[^/])?(?:/|>([^<]*)</${name})>`, 'g'))].map(
    ([, text = '']) => text.replace(/&(lt|gt|quot|amp);/g, (_, entity: string) => NAMES[entity]!),
  );
const textIn = (part: string, name: string): string => textsIn(part, name)[0]!;

const read = async (path = `/u/${shared.author.username}/feed.atom`) => {
  const answer = await shared.get(path, {});
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
  return { ...parseAtom(answer.text), ...answer };
};

it('is valid Atom with all required elements, linked from the page', async () => {
  const page = await shared.get(`/u/${shared.author.username}`);
  expect(page.text).toContain(`type="application/atom+xml" href="/u/${shared.author.username}/feed.atom"`);
  const { head, entries, headers } = await read();
  expect(headers.get('cache-control')).toBe('no-cache');
  for (const name of ['id', 'title', 'updated']) expect(textsIn(head, name), name).toHaveLength(1);
  expect(textIn(head, 'title')).toBe(`Tide & <Watcher> (@${shared.author.username})`);
  expect(textIn(head, 'name')).toBe('Tide & <Watcher>');
  expect(entries.length).toBeGreaterThanOrEqual(4);
  for (const entry of entries) {
    for (const name of ['id', 'title', 'updated', 'published', 'summary', 'link'])
      expect(textsIn(entry, name), name).toHaveLength(1);
    expect(textIn(entry, 'id')).toMatch(/^urn:uuid:[0-9a-f-]{36}$/);
    for (const name of ['updated', 'published'])
      expect(textIn(entry, name)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  }
  expect(new Set(entries.map((entry) => textIn(entry, 'id'))).size).toBe(entries.length);
});

it('shows only the day of sealed etches, and marks retracted ones', async () => {
  const { entries, text } = await read();
  shared.expectNothingHidden(text, 'the feed');
  const entryOf = ({ id }: { id: string }): string =>
    entries.find((entry) => textIn(entry, 'id') === `urn:uuid:${id}`)!;
  const sealed = entryOf(shared.etches.sealed);
  expect(textIn(sealed, 'title')).toMatch(/^Sealed until \d{1,2} \w+ \d{4}, \d\d:\d\d UTC$/);
  expect(textIn(sealed, 'summary')).toMatch(/^Written \d{1,2} \w+ \d{4} UTC\.$/);
  expect(sealed).not.toContain('About the tide');
  for (const name of ['category', 'content']) expect(textsIn(sealed, name)).toEqual([]);
  for (const name of ['updated', 'published'])
    expect(textIn(sealed, name)).toBe(`${shared.etches.sealed.created_on}T00:00:00.000Z`);
  const retracted = entryOf(shared.etches.retracted);
  expect(textIn(retracted, 'title')).toBe('Retracted: About the tide');
  expect(textIn(retracted, 'published')).toBe(`${shared.etches.retracted.created_on}T00:00:00.000Z`);
  expect(textIn(entryOf(shared.etches.open), 'content')).toBe('The tide turns.');
});

it('stays valid with any text, and continues by cursor', async () => {
  const agent = await service.registerAgent({ displayName: ']]> & "quotes"' });
  const texts = ['</content></entry>', ']]>', '\ufffe\uffff\u0001', '&lt;&#0;', '\u202e😀'];
  for (const content of texts) await service.etch(agent, { content, description: content });
  for (let count = 0; count < 27; count++) await service.etch(agent, { description: `etch ${count}` });
  const first = await read(`/u/${agent.username}/feed.atom`);
  const [, next] = / href="([^"]*)"/.exec(/<link[^>]* rel="next"[^>]*>/.exec(first.head)![0])!;
  const rest = await read(next!.replaceAll('&amp;', '&').replace(service.baseUrl, ''));
  const entries = [...first.entries, ...rest.entries];
  expect(entries).toHaveLength(32);
  const shown = ['</content></entry>', '&lt;&#0;', '[U+202E]😀'];
  expect(entries.flatMap((entry) => textsIn(entry, 'content'))).toEqual(expect.arrayContaining(shown));
});
