import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it, test } from 'vitest';
import type { Reply } from '../../../../testing/clients/client.ts';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import { useService } from '../../../../testing/service/service.ts';

const service = useService();
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
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
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
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
  const [byId, byCode, upper, upperId] = await Promise.all(
    [id, code, code.toUpperCase(), id.toUpperCase()].map((name: string) => page(`/e/${name}`)),
  );
  for (const other of [byCode, upper, upperId]) expect(other!.text).toBe(byId!.text);
  expect(byId!.text).toContain(`<link rel="canonical" href="${url}"/>`);
  const [challengeById, challengeByCode] = await Promise.all([
    page(`/ch/${challenge.id}`),
    page(`/ch/${challenge.code.toUpperCase()}`),
  ]);
  expect(challengeByCode.text).toBe(challengeById.text);
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
  const { status, text } = await page(`/e/${etches.open.id}/verify`);
  expect(status).toBe(200);
  expect(text).toContain('Nothing was checked.');
  expect(text).toContain('The etch is not attested yet.');
});

it('sealed words do not change the size of a page', async () => {
  const [short, long] = [
    await service.seal(author),
    await service.seal(author, { content: 'x'.repeat(2_000) }),
  ];
  const [a, b] = [await page(`/e/${short.id}`), await page(`/e/${long.id}`)];
  expect(a.text.length).toBe(b.text.length);
});

const json = { accept: 'application/json' };

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

it('unknown paths give people a page and programs the envelope', async () => {
  for (const path of unknown()) {
    const shown = await page(path);
    expect([shown.status, path]).toEqual([404, path]);
    expect(shown.text).toContain('There is nothing here');
    expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(shown.headers.get('cache-control')).toBe('no-store');
    expect(shown.headers.get('x-content-type-options')).toBe('nosniff');
    expect(shown.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    const answered = await page(path, { accept: 'application/json' });
    expect([answered.status, answered.body.error.code]).toEqual([404, 'not_found']);
  }
});

it('unknown paths give the envelope under the API and for other methods', async () => {
  expect((await page('/api/v1/nothing')).body.error.code).toBe('not_found');
  expect((await service.post('/nothing', {}, { headers: HTML })).body.error.code).toBe('not_found');
});

it('pages show a 400 in the site’s layout for an invalid query', async () => {
  const [account, asked] = [`/u/${author.username}`, `/ch/${challenge.id}`];
  for (const path of [
    '/search?page=0',
    '/search?status=lost',
    `${account}?cursor=no`,
    `${asked}?cursor=no`,
  ]) {
    const { status, text } = await page(path);
    expect([status, path]).toEqual([400, path]);
    expect(text).toContain('This request is not valid');
  }
});

it('files for browsers are cached without limit under versioned names, and compressed', async () => {
  const { text } = await page(`/e/${etches.open.id}/verify`);
  const urls = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, url]) => url!);
  expect(urls.length).toBeGreaterThanOrEqual(4);
  for (const url of urls) {
    const { status, headers } = await page(url);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toContain('immutable');
    expect(headers.get('content-encoding')).toBe('gzip');
    const plain = await page(url, { 'accept-encoding': 'identity' });
    expect(plain.headers.get('content-encoding')).toBeNull();
  }
});

it('the receipt page is named after the etch and has its own policy', async () => {
  const { headers, text } = await page(`/e/${etches.open.code}/receipt.html`);
  expect(headers.get('content-disposition')).toBe(`inline; filename="receipt-${etches.open.code}.html"`);
  const policy = headers.get('content-security-policy')!;
  expect(policy).toMatch(/script-src 'sha256-[\w+/=]+'/);
  expect(text).toContain(policy.replace("; frame-ancestors 'none'", ''));
});

it('the receipt page contains evidence on request', async () => {
  const inside = async (query: string) => {
    const { text } = await page(`/e/${etches.open.code}/receipt.html${query}`);
    return JSON.parse(/id="receipt">([^<]*)</.exec(text)![1]!) as Record<string, unknown>;
  };
  const receipt = await inside('');
  expect(receipt['_format']).toBe('svc-receipt:v1');
  expect(await inside('?evidence=1')).toMatchObject({ _format: 'svc-evidence:v1', receipt });
});

const search = (q: string, more = '') =>
  service.get(`/search?q=${encodeURIComponent(q)}${more}`, { headers: HTML });
const leadsTo = async (q: string) => {
  const { status, headers } = await search(q);
  return status === 303 ? headers.get('location') : null;
};

test('a text that names one record redirects to its page; the API searches for it', async () => {
  const agent = await service.registerAgent();
  const etch = await service.etch(agent, { description: 'On the tides', content: 'The tide turns at noon.' });
  expect(await leadsTo(`@${agent.username}`)).toBe(`/u/${agent.username}`);
  for (const hash of [etch.hash, `0x${etch.hash.toUpperCase()}`, ` ${etch.hash} `])
    expect(await leadsTo(hash)).toBe(`/e/${etch.id}`);
  expect(await leadsTo(etch.id)).toBe(`/e/${etch.id}`);
  expect(await leadsTo(`${service.baseUrl}/e/${etch.code}?from=mail`)).toBe(`/e/${etch.code}?from=mail`);
  expect(await leadsTo(`${service.baseUrl}//elsewhere.example/`)).toBe('/');
  for (const words of ['https://elsewhere.example/e/1', '0'.repeat(64), crypto.randomUUID(), 'tide'])
    expect(await leadsTo(words), words).toBeNull();
  const { id } = await service.ask(agent);
  const { code } = (await service.get(`/api/v1/challenges/${id}`)).body.challenge;
  for (const typed of [etch.code, etch.code.toUpperCase()])
    expect(await leadsTo(typed)).toBe(`/e/${etch.id}`);
  expect(await leadsTo(code)).toBe(`/ch/${id}`);
  expect((await search(etch.code, '&in=accounts')).headers.get('location')).toBe(`/e/${etch.id}`);
  expect((await search(`@${agent.username.slice(0, -2)}`)).text).toContain(`href="/u/${agent.username}"`);

  const data = await service.get(`/api/v1/search?q=${etch.hash}`);
  expect([data.status, data.body.page.total]).toEqual([200, 0]);
  const asData = await service.get(`/search?q=${etch.hash}`, { headers: { accept: 'application/json' } });
  expect([asData.status, asData.body.page.total]).toEqual([200, 0]);
});
