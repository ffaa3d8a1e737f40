import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it, test } from 'vitest';
import type { Reply } from '../../../../testing/clients/client.ts';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import { logTree } from '../../../../testing/log/index-of-log.ts';
import { useService } from '../../../../testing/service/service.ts';

const service = useService();
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const json = { accept: 'application/json' };
const CANARY = 'the-canary-sings-in-the-sealed-words';

let author: TestAgent;
let etches: Record<'open' | 'sealed' | 'retracted', any>;
let challenge: any;

const page = (path: string, headers: Record<string, string> = HTML): Promise<Reply> =>
  service.get(path, { headers });

beforeAll(async () => {
  author = await service.registerAgent({ displayName: 'Tide <b>Watcher</b>' });
  const open = await service.etch(author, { description: 'A tide with <i>markup</i>' });
  const sealed = await service.seal(author, { content: CANARY });
  const retracted = await service.etch(author, { content: 'erased', category_id: 'sports' });
  await service.retract(author, retracted.id);
  challenge = await service.ask(author, { question: 'Which day brings frost?' });
  await service.etch(author, { content: CANARY, mode: 'delayed', challenge_id: challenge.id });
  challenge = (await service.get(`/api/v1/challenges/${challenge.id}`)).body.challenge;
  etches = { open, sealed, retracted };
  await service.runTask('search');
});

const paths = (): string[] => [
  ...Object.values(etches).flatMap(({ id, code }) =>
    `/e/${id} /e/${code} /e/${id}/verify /e/${id}/receipt.html /e/${id}/receipt.html?evidence=1`.split(' '),
  ),
  ...`/ /ch/${challenge.id} /ch/${challenge.code}?sort=soonest /challenges /u/${author.username} /topics/science
    /challenges?status=all&category=science&category=ai&sort=most /search /search?in=accounts
    /search?q=tide&status=revealed&status=sealed&sort= /search?in=accounts&q=tide /search?in=challenges&q=frost
    /verify /verify/how /open`.split(/\s+/),
];

it('pages are HTML with a policy that blocks foreign resources', async () => {
  for (const path of paths()) {
    const { status, headers, text } = await page(path);
    expect(status, `${path}: ${text.slice(0, 300)}`).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(text).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(text, path).toMatch(/for testing only/i);
    const policy = headers.get('content-security-policy')!;
    expect(policy).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(policy).not.toContain('unsafe');
    const reads = /\/verify$|receipt\.html|\/open$/.test(path);
    expect(/connect-src [^;]*https:/.test(policy), path).toBe(reads);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('cache-control')).toBe('no-cache');
  }
});

it('pages escape text from users', async () => {
  for (const path of [`/e/${etches.open.id}`, '/', `/u/${author.username}`, '/search?q=%3Ci%3Emarkup']) {
    const { text } = await page(path);
    expect(text).not.toMatch(/<i>|<b>/);
    expect(text).toContain('&lt;');
  }
});

it('pages show an etch under its id and its code in any letter case', async () => {
  const { id, code, url } = etches.open;
  const { text } = await page(`/e/${id}`);
  expect(text).toContain(`<link rel="canonical" href="${url}"/>`);
  for (const name of [code, code.toUpperCase(), id.toUpperCase()])
    expect((await page(`/e/${name}`)).text).toBe(text);
  const byCode = await page(`/ch/${challenge.code.toUpperCase()}`);
  expect(byCode.text).toBe((await page(`/ch/${challenge.id}`)).text);
});

it('pages are sent again only if changed, and change at once after a retraction', async () => {
  const etch = await service.etch(author, { content: 'To be taken back' });
  const before = await page(`/e/${etch.id}`);
  const known = { ...HTML, 'if-none-match': `W/"x", ${before.headers.get('etag')!}` };
  const same = await page(`/e/${etch.id}`, known);
  expect([same.status, same.text]).toEqual([304, '']);
  await service.retract(author, etch.id);
  const after = await page(`/e/${etch.id}`, known);
  expect(after.status).toBe(200);
  expect(after.text).toContain('Retracted: the text is erased');
  expect(after.text).not.toContain('To be taken back');
});

it('pages follow the clock: a sealed etch opens by itself', async () => {
  const etch = await service.seal(author, { content: 'Now it opens' });
  expect((await page(`/e/${etch.id}`)).text).not.toContain('Now it opens');
  service.clock.set(etch.reveal_at);
  expect((await page(`/e/${etch.id}`)).text).toContain('Now it opens');
  service.clock.release();
});

it('pages show what is unavailable without a chain', async () => {
  const { text } = await page(`/e/${etches.open.id}/verify`);
  for (const part of ['Nothing was checked.', 'The etch is not attested yet.']) expect(text).toContain(part);
});

it('sealed words do not change the size of a page', async () => {
  const sizeOf = async (content: string) =>
    (await page(`/e/${(await service.seal(author, { content })).id}`)).text.length;
  expect(await sizeOf('x')).toBe(await sizeOf('x'.repeat(2_000)));
});

it('pages as data equal the API’s answers', async () => {
  const pairs = [
    [`/e/${etches.sealed.code}`, `/api/v1/etches/${etches.sealed.id}`],
    [`/e/${etches.open.id}/verify`, `/api/v1/verify/${etches.open.id}`],
    [`/ch/${challenge.code}`, `/api/v1/challenges/${challenge.id}`],
    ['/challenges?status=all', '/api/v1/challenges?status=all'],
    ['/search?q=tide', '/api/v1/search?q=tide'],
    ['/search?in=accounts&q=tide', '/api/v1/search/accounts?q=tide'],
    ['/search?in=challenges&q=frost', '/api/v1/search/challenges?q=frost'],
    ['/topics/science', '/api/v1/search?category=science'],
  ] as const;
  for (const [path, api] of pairs) {
    const [shown, answered] = await Promise.all([page(path, json), page(api, json)]);
    expect(shown.headers.get('content-type')).toContain('application/json');
    expect(shown.headers.get('vary')).toBe('Accept, Accept-Encoding');
    expect(shown.body, path).toEqual(answered.body);
  }
  const record = (await page(`/u/${author.username}`, json)).body;
  expect(record.user.username).toBe(author.username);
  expect(record.counts.retracted).toBeGreaterThan(0);
});

it('pages come as Markdown by ending or Accept', async () => {
  for (const [path, part] of [
    [`/e/${etches.retracted.id}`, 'Retracted'],
    [`/ch/${challenge.id}`, 'Which day brings frost'],
    [`/u/${author.username}`, 'Record of'],
  ] as const) {
    const [byEnding, byAccept] = [await page(`${path}.md`), await page(path, { accept: 'text/markdown' })];
    expect(byEnding.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(byEnding.text).toContain(part);
    expect(byAccept.text).toBe(byEnding.text);
  }
});

const unknown = () =>
  `/e/${randomUUID()} /e/zzzzzz /e/nothing-of-the-kind /e/${randomUUID()}/verify /e/zzzzzz/receipt.html
      /ch/${randomUUID()} /ch/zzzzzz /u/nobody_at_all /topics/gardening /search?category=gardening
      /assets/site.css /no/such/page /e/%ff /u/%E0%A4%A /ch/%`.split(/\s+/);

it('unknown paths give people a page, and programs, API clients and other methods the envelope', async () => {
  const envelope = { status: 404, body: { error: { code: 'not_found' } } };
  for (const path of unknown()) {
    const shown = await page(path);
    expect([shown.status, path]).toEqual([404, path]);
    expect(shown.text).toContain('There is nothing here');
    expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(shown.headers.get('cache-control')).toBe('no-store');
    expect(shown.headers.get('x-content-type-options')).toBe('nosniff');
    expect(shown.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await page(path, json)).toMatchObject(envelope);
  }
  expect(await page('/api/v1/nothing')).toMatchObject(envelope);
  expect(await service.post('/nothing', {}, { headers: HTML })).toMatchObject(envelope);
});

it('pages show a 400 in the site’s layout for an invalid query', async () => {
  const wrong = `/search?page=0 /search?status=lost /u/${author.username}?cursor=no /ch/${challenge.id}?cursor=no`;
  const text = expect.stringContaining('This request is not valid');
  for (const path of wrong.split(' ')) expect(await page(path)).toMatchObject({ status: 400, text });
});

it('files for browsers are cached without limit under versioned names, and compressed', async () => {
  const { text } = await page(`/e/${etches.open.id}/verify`);
  const urls = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, url]) => url!);
  expect(urls.length).toBeGreaterThanOrEqual(4);
  for (const url of urls) {
    const { status, headers } = await page(url);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toContain('immutable');
    expect(headers.get('content-encoding')).toBe(url.endsWith('.woff2') ? null : 'gzip');
    const plain = await page(url, { 'accept-encoding': 'identity' });
    expect(plain.headers.get('content-encoding')).toBeNull();
  }
});

it('the fonts of a page come from the service and weigh at most 60 kB', async () => {
  const { text } = await page('/');
  const fonts = [...text.matchAll(/rel="preload" href="([^"]+)" as="font"/g)].map(([, url]) => url!);
  const headers = await Promise.all(fonts.map(async (url) => (await page(url)).headers));
  expect(headers.map((each) => each.get('content-type'))).toEqual(['font/woff2', 'font/woff2']);
  const bytes = headers.reduce((sum, each) => sum + Number(each.get('content-length')), 0);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThanOrEqual(60_000);
});

it('the receipt page is named after the etch, has its own policy, and contains evidence on request', async () => {
  const { headers, text } = await page(`/e/${etches.open.code}/receipt.html`);
  expect(headers.get('content-disposition')).toBe(`inline; filename="receipt-${etches.open.code}.html"`);
  const policy = headers.get('content-security-policy')!;
  expect(policy).toMatch(/script-src 'sha256-[\w+/=]+'/);
  expect(text).toContain(policy.replace("; frame-ancestors 'none'", ''));
  const inside = async (query: string) => {
    const { text } = await page(`/e/${etches.open.code}/receipt.html${query}`);
    return JSON.parse(/id="receipt">([^<]*)</.exec(text)![1]!) as Record<string, unknown>;
  };
  const receipt = await inside('');
  expect(receipt['_format']).toBe('svc-receipt:v1');
  expect(await inside('?evidence=1')).toMatchObject({ _format: 'svc-evidence:v1', receipt });
  const early = await page(`/e/${etches.open.code}/receipt.html?index=1`);
  expect([
    early.status,
    early.text.includes('The log has no checkpoint yet: try again in 60 seconds'),
  ]).toEqual([503, true]);
  expect(early.headers.get('retry-after')).toBe('60');
  await logTree(service.db, 2, author.userId);
  await service.runTask('log of trees');
  const placed = { ...receipt, index: [{ user_id: author.userId, count: 2, from: 0, more: false }] };
  expect(await inside('?index=1')).toMatchObject(placed);
  expect(await inside('?index=1&evidence=1')).toMatchObject({ receipt: placed });
});

const search = (q: string, more = '') => page(`/search?q=${encodeURIComponent(q)}${more}`);
const leadsTo = async (q: string) => {
  const { status, headers } = await search(q);
  return status === 303 ? headers.get('location') : null;
};

test('a text that names one record redirects to its page; the API searches for it', async () => {
  const agent = await service.registerAgent();
  const etch = await service.etch(agent, { description: 'On the tides', content: 'The tide turns at noon.' });
  const { code, hash } = etch;
  const names = [hash, `0x${hash.toUpperCase()}`, ` ${hash} `, etch.id, code, code.toUpperCase()];
  for (const [typed, path] of [
    [`@${agent.username}`, `/u/${agent.username}`],
    ...names.map((name) => [name, `/e/${etch.id}`] as const),
    [`${service.baseUrl}/e/${code}?from=mail`, `/e/${code}?from=mail`],
    [`${service.baseUrl}//elsewhere.example/`, '/'],
    [challenge.code, `/ch/${challenge.id}`],
    ...['https://elsewhere.example/e/1', '0'.repeat(64), crypto.randomUUID(), 'tide'].map(
      (words) => [words, null] as const,
    ),
  ] as const)
    expect(await leadsTo(typed), typed).toBe(path);
  expect((await search(code, '&in=accounts')).headers.get('location')).toBe(`/e/${etch.id}`);
  expect((await search(`@${agent.username.slice(0, -2)}`)).text).toContain(`href="/u/${agent.username}"`);
  for (const path of ['/api/v1/search', '/search'])
    expect(await page(`${path}?q=${hash}`, json)).toMatchObject({
      status: 200,
      body: { page: { total: 0 } },
    });
});

test('a page’s address with a slash at its end redirects to the address without it', async () => {
  const slashed = paths().filter((path) => !/^\/$|\?/.test(path));
  for (const path of [...slashed, '/docs', '/docs/agents', '/status', '/about', '/no/such/page'])
    for (const end of ['/', '//', '/?q=a%20b&x=/'])
      for (const method of ['GET', 'HEAD'] as const) {
        const { status, headers } = await service.call(method, path + end, undefined, { headers: HTML });
        expect([status, headers.get('location')], path + end).toEqual([308, path + end.replace(/^\/+/, '')]);
      }
  for (const path of [
    '//example.org/',
    '//example.org//?q=1',
    '/\\example.org/',
    '/api/v1/search/',
    '/api/v1/',
  ])
    expect((await page(path)).status, path).toBe(404);
  expect((await service.post('/docs/', {})).status).toBe(404);
});
