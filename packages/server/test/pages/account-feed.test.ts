import { describe, expect, it } from 'vitest';
import { SaxesParser } from 'saxes';
import { useService } from '../../../../testing/service/service.ts';
import { useSharedRecord } from './shared-record.ts';

const service = useService();

const shared = useSharedRecord(service);

interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
}

function parseXml(xml: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const path = [root];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, uri, attributes }) => {
    expect(uri).toBe('http://www.w3.org/2005/Atom');
    const element: Element = {
      name,
      attributes: Object.fromEntries(Object.entries(attributes).map(([key, { value }]) => [key, value])),
      children: [],
      text: '',
    };
    path.at(-1)!.children.push(element);
    path.push(element);
  });
  parser.on('text', (text) => (path.at(-1)!.text += text));
  parser.on('closetag', () => path.pop());
  parser.write(xml).close();
  return root.children[0]!;
}
const childrenOf = (element: Element, name: string): Element[] =>
  element.children.filter((child) => child.name === name);
const textIn = (element: Element, name: string): string => childrenOf(element, name)[0]!.text;

describe('the feed of an account', () => {
  const read = async (path: string) => {
    const answer = await shared.get(path, {});
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
    return { feed: parseXml(answer.text), ...answer };
  };

  it('is valid Atom with all required elements, linked from the page', async () => {
    const page = await shared.get(`/u/${shared.author.username}`);
    expect(page.text).toContain(`type="application/atom+xml" href="/u/${shared.author.username}/feed.atom"`);
    const { feed, headers } = await read(`/u/${shared.author.username}/feed.atom`);
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(feed.name).toBe('feed');
    for (const name of ['id', 'title', 'updated']) expect(childrenOf(feed, name), name).toHaveLength(1);
    expect(textIn(feed, 'title')).toBe(`Tide & <Watcher> (@${shared.author.username})`);
    expect(textIn(childrenOf(feed, 'author')[0]!, 'name')).toBe('Tide & <Watcher>');
    const entries = childrenOf(feed, 'entry');
    expect(entries.length).toBeGreaterThanOrEqual(4);
    for (const entry of entries) {
      for (const name of ['id', 'title', 'updated', 'published', 'summary', 'link'])
        expect(childrenOf(entry, name), name).toHaveLength(1);
      expect(textIn(entry, 'id')).toMatch(/^urn:uuid:[0-9a-f-]{36}$/);
      for (const name of ['updated', 'published'])
        expect(textIn(entry, name)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
    expect(new Set(entries.map((entry) => textIn(entry, 'id'))).size).toBe(entries.length);
  });

  it('shows only the day of sealed etches, and marks retracted ones', async () => {
    const { feed, text } = await read(`/u/${shared.author.username}/feed.atom`);
    shared.expectNothingHidden(text, 'the feed');
    const entryOf = ({ id }: { id: string }): Element =>
      childrenOf(feed, 'entry').find((entry) => textIn(entry, 'id') === `urn:uuid:${id}`)!;
    const sealed = entryOf(shared.etches.sealed);
    expect(textIn(sealed, 'title')).toMatch(/^Sealed until \d{1,2} \w+ \d{4}, \d\d:\d\d UTC$/);
    expect(textIn(sealed, 'summary')).toMatch(/^Written \d{1,2} \w+ \d{4}\.$/);
    expect(JSON.stringify(sealed)).not.toContain('About the tide');
    expect(childrenOf(sealed, 'category')).toHaveLength(0);
    for (const name of ['updated', 'published'])
      expect(textIn(sealed, name)).toBe(`${shared.etches.sealed.created_on}T00:00:00.000Z`);
    expect(childrenOf(sealed, 'content')).toHaveLength(0);
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
    const first = (await read(`/u/${agent.username}/feed.atom`)).feed;
    const next = childrenOf(first, 'link').find(({ attributes }) => attributes['rel'] === 'next')!;
    const { feed } = await read(next.attributes['href']!.replace(service.baseUrl, ''));
    const entries = [...childrenOf(first, 'entry'), ...childrenOf(feed, 'entry')];
    expect(entries).toHaveLength(32);
    const written = entries.flatMap((entry) => childrenOf(entry, 'content').map(({ text }) => text));
    expect(written).toContain('</content></entry>');
    expect(written).toContain('&lt;&#0;');
    expect(written).toContain('[U+202E]😀');
  });
});
