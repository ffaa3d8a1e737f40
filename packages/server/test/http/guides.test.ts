import { beforeAll, describe, expect, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';
import { anchorsOf, read, trackedFiles } from '../../../../testing/repository.ts';

const service = useService();
const HTML = { headers: { accept: 'text/html' } };
const get = (path: string) => service.get(path, HTML);
const pages = trackedFiles().filter((name) =>
  /^docs\/(?:(?:decisions|operating|templates)\/)?[\w.-]+\.md$/.test(name),
);
const pathOf = (name: string): string => `/${name.replace(/\.md$/, '')}`;
const idsOf = (html: string): string[] => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);

describe('the documentation as HTML', () => {
  const html = new Map<string, string>();
  beforeAll(async () => {
    for (const name of pages) {
      const { status, text, headers } = await get(pathOf(name));
      expect([name, status, headers.get('content-type')]).toEqual([name, 200, 'text/html; charset=utf-8']);
      html.set(pathOf(name), text);
    }
  });

  test('has every page in the layout of the site, with its headings as anchors', () => {
    for (const name of pages) {
      const text = html.get(pathOf(name))!;
      expect(text).toContain('class="site-header"');
      expect(idsOf(text), name).toEqual(expect.arrayContaining(anchorsOf(read(name))));
      expect([...text.matchAll(/<script[^>]*>/g)], name).toEqual([]);
    }
  });

  test('leads only to pages, anchors, files and pictures that exist', async () => {
    const wrong: string[] = [];
    const files = new Set<string>();
    for (const [page, text] of html) {
      const article = /<article>([^]*?)<\/article>/.exec(text)![1]!;
      for (const [, href] of article.matchAll(/(?:href|src|srcset)="([^"]+)"/g)) {
        if (/^[a-z]+:/.test(href!)) continue;
        const [path, anchor] = href!.split('#') as [string, string?];
        const known = html.get(path === '' ? page : path);
        if (known === undefined) files.add(path);
        else if (anchor !== undefined && !idsOf(known).includes(anchor)) wrong.push(`${page}: ${href}`);
      }
    }
    for (const path of files) if (!path.startsWith('/') || (await get(path)).status !== 200) wrong.push(path);
    expect(wrong).toEqual([]);
  });

  test('escapes code, and answers 404 for an unknown page', async () => {
    expect(html.get('/docs/protocol')).not.toContain('<etch id>');
    expect(html.get('/docs/agents')).toContain('<code>&lt;BASE_URL&gt;/mcp</code>');
    const missing = await get('/docs/no-such-page');
    expect([missing.status, missing.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect((await get('/docs/test/commands.test')).status).toBe(404);
  });
});

describe('the search of the documentation', () => {
  const search = async (query: string): Promise<string> =>
    (await get(`/docs/README?q=${encodeURIComponent(query)}`)).text;

  test('finds sections by their words, and says when there are none', async () => {
    expect(await search('point-in-time recovery')).toContain('href="/docs/operating/backup');
    expect(await search('Tombstone')).toContain('href="/docs/protocol#');
    expect(await search('zebra crossing')).toContain('No page contains these words.');
    expect(await search('')).not.toContain('No page');
  });

  test('shows the query as text', async () => {
    const text = await search('"><script>alert(1)</script>');
    expect(text).not.toContain('<script>alert');
    expect((await get(`/docs/README?q=a&q=b`)).status).toBe(200);
  });
});
