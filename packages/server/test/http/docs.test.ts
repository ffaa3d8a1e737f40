import { readdirSync, readFileSync } from 'node:fs';
import { ROUTES } from '@svc/contract';
import { TEMPLATES } from '@svc/protocol/conventions';
import { beforeAll, describe, expect, test } from 'vitest';
import { newAgentKeys } from '../../../../testing/clients/agent-keys.ts';
import { anchorsOf, read, trackedFiles } from '../../../../testing/repository.ts';
import { useService } from '../../../../testing/service/service.ts';

const service = useService({ chain: true });
const idsIn = (html: string): string[] => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);

test('the reference has every operation, schema and field, on a page for each resource', async () => {
  const overview = await service.get('/docs');
  const nav = /<nav class="sidebar"[^]*?<\/nav>/.exec(overview.text)![0];
  const paths = [...nav.matchAll(/href="(\/docs\/api\/[a-z-]+)"/g)].map(([, path]) => path!);
  expect(paths).toEqual(
    expect.arrayContaining(['/docs/api/etches', '/docs/api/webhooks', '/docs/api/schemas-a-l']),
  );
  const pages = await Promise.all(paths.map((path) => service.get(path)));
  const anchorsOn = new Map(paths.map((path, at) => [path, new Set(idsIn(pages[at]!.text))]));
  for (const [at, page] of [overview, ...pages].entries()) {
    expect(new Set(idsIn(page.text)).size).toBe([...page.text.matchAll(/ id="/g)].length);
    for (const [, path, id] of page.text.matchAll(/href="(\/docs\/api\/[a-z-]+)#([^"]+)"/g))
      expect(anchorsOn.get(path!), `${path}#${id}`).toContain(id);
    const own = anchorsOn.get(paths[at - 1] ?? '') ?? new Set(['main']);
    for (const [, id] of page.text.matchAll(/href="#([^"]+)"/g)) expect(own).toContain(id);
    // The only scripts are our own: the copy buttons, and the search, which also shows its field.
    expect([...page.text.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)).toEqual(
      ['reference', 'copy'].map((name) =>
        expect.stringMatching(new RegExp(`^<script type="module" src="/assets/${name}\\.\\w+\\.js">$`)),
      ),
    );
    expect(page.text).toMatch(/<search[^>]* hidden/);
    expect(page.text).not.toMatch(/javascript:|<img| on\w+=/i);
    for (const [, href] of page.text.matchAll(/href="([^#/"][^"]*)"/g))
      expect(href).toMatch(new RegExp(`^${service.baseUrl}/`));
  }
  expect((await service.get('/docs/api/none')).status).toBe(404);
  const page = { ...overview, text: pages.map(({ text }) => text).join('') };
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  for (const route of Object.values(ROUTES)) {
    expect(page.text).toContain(`id="${route.operationId}"`);
    expect(page.text).toContain(`${route.method} ${route.path}`);
  }
  const { body: document } = await service.get('/api/v1/openapi.json');
  const anchors = new Set(idsIn(page.text));
  for (const [name, schema] of Object.entries<{ properties?: object }>(document.components.schemas)) {
    if (name.endsWith('Body')) continue;
    expect(anchors, name).toContain(name);
    for (const field of Object.keys(schema.properties ?? {})) expect(anchors).toContain(`${name}.${field}`);
  }
  const some = 'DelayedEtch.reveal_at createEtch.Idempotency-Key createKey.body.name getMe.answer.user';
  for (const field of some.split(' ')) expect(anchors).toContain(field);
  for (const [, command] of page.text.matchAll(/(curl [^<]*\/api\/v1\/(?:etches|challenges)&quot;[^<]*)</g))
    if (command!.includes('-X POST')) expect(command).toContain('Idempotency-Key');
  expect(page.text).toContain('class="site-header"');
  expect(page.text).toMatch(/<link rel="stylesheet" href="\/assets\//);
});

test('the service accepts the bodies of the commands that create', async () => {
  const { key } = await service.registerAgent();
  for (const [page, path] of [
    ['etches', '/api/v1/etches'],
    ['challenges', '/api/v1/challenges'],
  ] as const) {
    const { text } = await service.get(`/docs/api/${page}`);
    const body = new RegExp(`curl -X POST &quot;[^&]*${path}&quot;[^<]*-d '([^<]*)'<`).exec(text)![1]!;
    const sent = await service.post(path, JSON.parse(body.replaceAll('&quot;', '"')), {
      key,
      headers: { 'idempotency-key': page },
    });
    expect(sent.status, sent.text).toBe(201);
  }
});

test('/llms.txt is enough to register, seal and verify', async () => {
  const page = await service.get('/llms.txt');
  expect(page.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  // From here on the test uses only information from the page.
  const base = /^Base url: (\S+)/m.exec(page.text)![1]!.slice(service.baseUrl.length);
  const signed = /sign the UTF-8 bytes of {2}(\S+)/i.exec(page.text)![1]!;
  const keys = newAgentKeys();
  const issuedAt = service.at(0);
  const message = signed.replace('<public_key>', keys.publicKey).replace('<issued_at>', issuedAt);
  const registered = await service.post(`${base}/agents`, {
    public_key: keys.publicKey,
    issued_at: issuedAt,
    signature: keys.sign(message),
    display_name: 'Reader',
  });
  expect(registered.status, registered.text).toBe(201);
  const template = JSON.parse(/^\{"content":.*\}$/m.exec(page.text)![0]) as Record<string, string>;
  const topic = /^Topics: (\w+)/m.exec(page.text)![1]!;
  const lead = Number(/at least (\d+) s ahead/.exec(page.text)![1]);
  const reveal_at = service.at((lead + 5) * 1_000);
  const words = { content: 'From the page alone.', description: 'A test', category_id: topic };
  const etched = await service.post(
    `${base}/etches`,
    { ...template, ...words, mode: 'delayed', reveal_at },
    { key: registered.body.api_key, headers: { 'idempotency-key': 'page' } },
  );
  expect(etched.status, etched.text).toBe(201);
  await service.anchor();
  service.clock.advance((lead + 6) * 1_000);
  const { checks } = (await service.get(`${base}/verify/${etched.body.etch.id}`)).body;
  expect(checks).toMatchObject(['words', 'batch', 'chain'].map((key) => ({ key, verdict: 'pass' })));
  service.clock.release();
});

test('serves every document as it is in docs, with its own address, named in /llms.txt and part of /llms-full.txt', async () => {
  const folder = new URL('../../../../docs/', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.(?:md|py|mjs)$/.test(file) && !file.startsWith('test/'),
  );
  expect(files.length).toBeGreaterThan(40);
  const { text: page } = await service.get('/llms.txt');
  const full = await service.get('/llms-full.txt');
  expect(full.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(full.text.startsWith(page)).toBe(true);
  for (const file of files) {
    const written = readFileSync(new URL(file, folder), 'utf8');
    const there = file.endsWith('.md') ? written.replaceAll('<BASE_URL>', service.baseUrl) : written;
    expect(page).toContain(`](${service.baseUrl}/docs/${file})\n`);
    expect(full.text).toContain(there);
    const served = await service.get(`/docs/${file}`);
    expect(served.text).toBe(there);
    const kind = file.endsWith('.md') ? 'markdown' : 'plain';
    expect(served.headers.get('content-type')).toBe(`text/${kind}; charset=utf-8`);
  }
  const PICTURE = /!\[[^\]]*\]\(([^)]+)\)|(?:src|srcset)="([^"<]+)"/g;
  const shown = files.flatMap((file) =>
    [...readFileSync(new URL(file, folder), 'utf8').matchAll(PICTURE)].map(
      ([, path = '', named = path]) => new URL(named, new URL(file, `${service.baseUrl}/docs/`)).pathname,
    ),
  );
  expect(shown.length).toBeGreaterThan(3);
  for (const path of shown) {
    const picture = await service.get(path);
    const type = path.endsWith('.webp') ? 'image/webp' : 'image/svg+xml';
    expect([path, picture.status, picture.headers.get('content-type')]).toEqual([path, 200, type]);
    expect(picture.text).toBe(readFileSync(new URL(`..${path}`, folder), 'utf8'));
    expect(full.text).not.toContain(picture.text);
  }
  for (const path of ['/llms.txt', '/llms-full.txt', '/docs/agents.md', shown[0]!]) {
    const etag = (await service.get(path)).headers.get('etag')!;
    const again = await service.get(path, { headers: { 'if-none-match': etag } });
    expect({ status: again.status, text: again.text }).toEqual({ status: 304, text: '' });
  }
  for (const name of ['none.md', 'test/pages.ts', '..%2fpackage.json'])
    expect((await service.get(`/docs/${name}`)).status).toBe(404);
  expect(readFileSync(new URL('../Dockerfile', folder), 'utf8')).toMatch(/^COPY docs docs$/m);
});

const HTML = { headers: { accept: 'text/html' } };
const get = (path: string) => service.get(path, HTML);

describe('the documentation as HTML', () => {
  const pages = trackedFiles().filter((name) =>
    /^docs\/(?:(?:decisions|operating|templates)\/)?[\w.-]+\.md$/.test(name),
  );
  const html = new Map<string, string>();
  const partsIn = (path: string, text: string): string[] =>
    [...text.matchAll(/<a href="([^"#]+)#[^"]+"/g)]
      .map(([, to]) => to!)
      .filter((to) => to.startsWith(`${path}/`));
  beforeAll(async () => {
    for (const name of pages) {
      const path = `/${name.replace(/\.md$/, '')}`;
      const { status, text, headers } = await get(path);
      expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
      expect(text).toContain('class="site-header"');
      expect(idsIn(text), name).toEqual(expect.arrayContaining(anchorsOf(read(name))));
      // The only script is our own, for copy buttons.
      const scripts = text.includes(' data-copy=')
        ? [expect.stringMatching(/^src="\/assets\/copy\.\w+\.js"$/)]
        : [];
      expect(
        [...text.matchAll(/<script type="module" ([^>]*)>/g)].map(([, attributes]) => attributes),
        name,
      ).toEqual(scripts);
      expect([...text.matchAll(/<script/g)], name).toHaveLength(scripts.length);
      html.set(path, text);
      for (const part of partsIn(path, text)) html.set(part, (await get(part)).text);
    }
  });

  test('has all pages in the layout of the site, which lead only to pages, anchors, files and pictures that exist', async () => {
    const wrong: string[] = [];
    const files = new Set<string>();
    for (const [page, text] of html) {
      const article = /<article>([^]*?)<\/article>/.exec(text)![1]!;
      for (const [, href] of article.matchAll(/(?:href|src|srcset)="([^"]+)"/g)) {
        if (/^[a-z]+:/.test(href!)) continue;
        const [path, anchor] = href!.split('#') as [string, string?];
        const known = html.get(path === '' ? page : path);
        if (known === undefined) files.add(path);
        else if (anchor !== undefined && !idsIn(known).includes(anchor)) wrong.push(`${page}: ${href}`);
      }
    }
    for (const path of files) if (!path.startsWith('/') || (await get(path)).status !== 200) wrong.push(path);
    expect(wrong).toEqual([]);
  });

  test('has a sidebar, in which each guide that a reader starts with has two clicks at most', () => {
    for (const [page, text] of html) {
      const sidebar = /<nav class="sidebar"[^]*?<\/nav>/.exec(text)![0];
      for (const start of ['/docs/quickstart', '/docs/agents', '/docs/templates/README', '/docs/conventions'])
        expect(`${sidebar}${/<footer[^]*/.exec(text)![0]}`, page).toContain(`href="${start}"`);
    }
    const current = /aria-current="page">([^<]*)/.exec(html.get('/docs/conventions')!);
    expect(current![1]).toBe('Conventions');
  });

  test('divides a long guide into parts, each with the sections of no other', () => {
    const path = '/docs/protocol';
    const parts = [path, ...new Set(partsIn(path, html.get(path)!))];
    expect(parts.length).toBeGreaterThan(1);
    const headings = parts.flatMap((part) => {
      const article = /<article>([^]*)<\/article>/.exec(html.get(part)!)![1]!;
      return [...article.matchAll(/<h[2-6] id="([^"]+)"/g)].map(([, id]) => id);
    });
    expect(headings).toEqual(anchorsOf(read('docs/protocol.md')).slice(1));
    for (const [at, part] of parts.entries())
      for (const other of [parts[at - 1], parts[at + 1]])
        if (other)
          expect(/<nav aria-label="Parts">([^]*?)<\/nav>/.exec(html.get(part)!)![1]).toContain(other);
  });

  test('has a copy button for each block and each line to paste, also in tables, with the address of the service', () => {
    const agents = html.get('/docs/agents')!;
    const copied = (name: string, before: string): string[] =>
      [...agents.matchAll(new RegExp(`${before}<code data-copy="${name}">([^<]*)<`, 'g'))].map(
        ([, text]) => text!,
      );
    expect(copied('command', '<pre tabindex="0">')).toHaveLength(6);
    expect(copied('command', '<pre tabindex="0">')[0]).toContain(`register --base-url ${service.baseUrl} `);
    expect(copied('command', '<td>')).toEqual([
      `claude mcp add --transport http svc ${service.baseUrl}/mcp`,
      expect.stringContaining(`SVC_BASE_URL=${service.baseUrl} --`),
      `codex mcp add svc --url ${service.baseUrl}/mcp`,
      expect.stringContaining(`SVC_BASE_URL=${service.baseUrl} --`),
    ]);
    expect(copied('JSON', ': ')).toHaveLength(2);
    expect(html.get('/docs/quickstart')).not.toMatch(/data-copy="[^"]*">Registered/);
  });

  test('has the text of each template with a link to the form, which shows it only as an example', async () => {
    const all = html.get('/docs/templates/README')!;
    for (const [name, text] of Object.entries(TEMPLATES)) {
      for (const page of [all, html.get(`/docs/templates/${name}`)!]) {
        expect(page).toContain(`<code data-copy="text">${text.trimEnd()}</code>`);
        expect(page).toContain(`href="/write?template=${name}"`);
      }
      const form = (await get(`/write?template=${name}`)).text;
      const [, line] = text.trimEnd().split(/\n(?=[^\n]*$)/) as [string, string];
      expect(form).toMatch(new RegExp(`placeholder="[^"]*${line.replaceAll(/[.*+?^$()|[\]\\{}]/g, '\\$&')}`));
      expect(form.replaceAll(/placeholder="[^"]*"/g, ''), name).not.toContain(line);
    }
    expect(html.get('/docs/quickstart')).not.toContain('/write?template=');
  });

  test('escapes code, and answers 404 for an unknown page', async () => {
    expect(html.get('/docs/protocol')).not.toContain('<etch id>');
    expect(html.get('/docs/agents')).toContain(`<code>${service.baseUrl}/mcp</code>`);
    expect(html.get('/docs/agents')).not.toContain('BASE_URL&gt;');
    const missing = await get('/docs/no-such-page');
    expect([missing.status, missing.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect((await get('/docs/test/commands.test')).status).toBe(404);
  });

  test('is searched for words, and shows the query as text', async () => {
    for (const [query, found] of [
      ['point-in-time recovery', 'href="/docs/operating/backup'],
      ['Tombstone', 'href="/docs/protocol#'],
      ['zebra crossing', 'No page contains these words.'],
      ['', /^(?!.*No page)/s],
      ['"><script>alert(1)</script>', /^(?!.*<script>alert)/s],
      ['a&q=b', 'class="site-header"'],
    ] as const) {
      const { status, text } = await get(
        `/docs/README?q=${query === 'a&q=b' ? query : encodeURIComponent(query)}`,
      );
      expect([status, text]).toEqual([200, expect.stringMatching(found)]);
    }
  });
});

test('serves the contract with its origin as the OpenAPI document', async () => {
  const { body } = await service.get('/api/v1/openapi.json');
  expect(body.info.version).toBe(JSON.parse(read('package.json')).version);
  expect(body.openapi).toMatch(/^3\.1\./);
  expect(JSON.stringify(body.servers)).toContain(service.baseUrl);
  const listed = Object.entries(body.paths as Record<string, object>).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const routes = Object.values(ROUTES).map(({ method, path }) => `${method} ${path}`);
  expect(listed.sort()).toEqual(routes.sort());
});
