import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { folderWith } from '../../../../testing/machine/folder.ts';
import { useService } from '../../../../testing/service/service.ts';
import { HTML } from './shared-record.ts';

const NOTICE = 'Demo: deleted on 1 March 2027 <b>. Rules: https://demo.example.org/abuse.';
const service = useService({
  settings: {
    OPERATOR_NAME: 'The harbour <master>',
    SECURITY_CONTACT: 'watch@example.org',
    DATA_DIR: folderWith('notice.txt', NOTICE),
  },
});
const silent = useService();
const page = async (path: string, of = service) => (await of.get(path, { headers: HTML })).text;

test('every page begins with the notice of the operator', async () => {
  for (const path of ['/', '/about', '/docs', '/status', '/search', '/sign-in', '/e/none']) {
    const html = await page(path);
    expect(html, path).toContain('<aside class="devnet" aria-label="Notice by the operator">');
    const link = '<a href="https://demo.example.org/abuse">https://demo.example.org/abuse</a>';
    expect(html, path).toContain(`Demo: deleted on 1 March 2027 &lt;b>. Rules: ${link}.`);
    expect(await page(path, silent), path).not.toContain('Notice by the operator');
  }
});

test('the page about the service names the operator', async () => {
  expect(await page('/about')).toMatch(/<dt>Operator<\/dt><dd><bdi>The harbour &lt;master><\/bdi>/);
  expect(await page('/about', silent)).toMatch(/<dt>Not published<\/dt><dd>the operator’s name, /);
});

test('robots.txt excludes personal pages only', async () => {
  const lines = (await page('/robots.txt')).split('\n');
  expect(lines[0]).toBe('User-agent: *');
  expect(lines).toContain('Disallow: /account');
  for (const path of ['/', '/e/', '/u/', '/ch/', '/verify', '/trees', '/api/'])
    expect(lines).not.toContain(`Disallow: ${path}`);
});

test('security.txt names a contact, for less than a year', async () => {
  const text = await page('/.well-known/security.txt');
  expect(text).toContain('\nCanonical: ' + service.baseUrl);
  expect(text).toMatch(/^Contact: mailto:watch@example\.org\n/);
  const left = Date.parse(/\nExpires: (.+)\n/.exec(text)![1]!) - service.clock.now();
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(365 * 86_400_000);
  expect(await page('/about')).toContain('href="mailto:watch@example.org"');

  const unset = await page('/.well-known/security.txt', silent);
  expect(unset).toContain(`Contact: ${silent.baseUrl}/about#security\n`);
  expect(await page('/about', silent)).toMatch(/id="security"[^]*has not published a contact/);
});

const addresses = async (path: string) =>
  [...(await page(path)).matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => url!);
const day = () => service.at(0).slice(0, 10);

test('the sitemap lists public records by the day of publication, and nothing else', async () => {
  const [agent, spammer] = await service.agents(2);
  const open = await service.etch(agent);
  const sealed = await service.seal(agent, { reveal_at: service.at(40 * 86_400_000) });
  const gone = await service.etch(agent);
  await service.retract(agent, gone.id);
  await service.etch(spammer);
  await service.db.query(sql`update account set hidden_for = 'spam' where username = ${spammer.username}`);
  const [file, ...more] = await addresses('/sitemap.xml');
  expect([file, more]).toEqual([`${service.baseUrl}/sitemap-${day()}.xml`, []]);
  const listed = new URL(file!).pathname;
  expect(await addresses(listed)).toEqual([`${service.baseUrl}/e/${open.id}`]);
  expect((await page('/robots.txt')).trim()).toMatch(
    new RegExp(`Sitemap: ${service.baseUrl}/sitemap\\.xml$`),
  );

  service.clock.advance(40 * 86_400_000 + 60_000);
  const later = `${service.baseUrl}/sitemap-${day()}.xml`;
  expect(await addresses('/sitemap.xml')).toEqual([file, later]);
  expect(await addresses(new URL(later).pathname)).toEqual([`${service.baseUrl}/e/${sealed.id}`]);
  await service.retract(agent, open.id);
  expect(await addresses(listed)).toEqual([]);
  for (const path of ['/sitemap-2026-02-31.xml', '/sitemap-2026-01-01-2.xml'])
    expect((await service.get(path)).status).toBe(404);
});

const choose = (theme: string, headers: Record<string, string> = {}) =>
  service.post('/theme', undefined, {
    raw: `theme=${theme}`,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: service.baseUrl,
      referer: `${service.baseUrl}/search?q=rain`,
      ...headers,
    },
  });

test('the theme is stored in a cookie, rendered by the server, and part of the ETag', async () => {
  const chosen = await choose('dark');
  expect([chosen.status, chosen.headers.get('location')]).toEqual([303, '/search?q=rain']);
  const cookie = chosen.headers.get('set-cookie')!.split(';')[0]!;
  const [plain, dark] = await Promise.all(
    [{}, { cookie }].map((more) => service.get('/about', { headers: { ...HTML, ...more } })),
  );
  expect(plain!.text).toMatch(
    /<html lang="en">[^]*content="light dark"[^]*value="device" aria-pressed="true"/,
  );
  expect(dark!.text).toMatch(/<html lang="en" data-theme="dark">[^]*value="dark" aria-pressed="true"/);
  expect(dark!.headers.get('vary')).toContain('Cookie');
  expect(dark!.headers.get('etag')).not.toBe(plain!.headers.get('etag'));
  const status = await service.get('/status', { headers: { ...HTML, cookie } });
  expect(status.text).toContain('data-theme="dark"');
  expect((await choose('device')).headers.get('set-cookie')).toMatch(/=; [^]*Max-Age=0/);
});

test('the theme accepts no other value, no form of another site, and no foreign redirect', async () => {
  expect((await choose('pink')).status).toBe(400);
  expect((await choose('dark', { origin: 'https://elsewhere.example' })).status).toBe(403);
  const away = await choose('dark', { referer: 'https://elsewhere.example/search' });
  expect(away.headers.get('location')).toBe('/');
});
