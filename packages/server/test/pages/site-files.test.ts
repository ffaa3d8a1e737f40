import { describe, expect, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';
import { HTML } from './shared-record.ts';

const service = useService({ settings: { SECURITY_CONTACT: 'watch@example.org', EVENTS_KEPT_DAYS: '30' } });
const silent = useService();
const get = (path: string) => fetch(service.baseUrl + path);
const page = async (path: string, of = service) =>
  (await of.call('GET', path, undefined, { headers: HTML })).text;

describe('what every site is asked for', () => {
  test('pictures are what they are called', async () => {
    const icon = Buffer.from(await (await get('/favicon.ico')).arrayBuffer());
    expect([...icon.subarray(0, 8)]).toEqual([0, 0, 1, 0, 1, 0, 32, 32]);
    expect(icon.readUInt32LE(14)).toBe(icon.length - 22);
    expect(icon.subarray(22, 26).toString('latin1')).toBe('\x89PNG');

    const touch = await get('/apple-touch-icon.png');
    const picture = Buffer.from(await touch.arrayBuffer());
    expect(touch.headers.get('content-type')).toBe('image/png');
    expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([180, 180]);

    const manifest = (await (await get('/site.webmanifest')).json()) as { icons: { src: string }[] };
    for (const { src } of manifest.icons) expect((await get(src)).status, src).toBe(200);
  });

  test('crawlers are kept from what is somebody’s own, and from nothing else', async () => {
    const lines = (await (await get('/robots.txt')).text()).split('\n');
    expect(lines[0]).toBe('User-agent: *');
    expect(lines).toContain('Disallow: /account');
    for (const path of ['/', '/e/', '/u/', '/ch/', '/verify', '/trees', '/api/'])
      expect(lines).not.toContain(`Disallow: ${path}`);
  });

  test('who finds a fault is told whom to write to, for less than a year', async () => {
    const text = await (await get('/.well-known/security.txt')).text();
    expect(text).toContain('\nCanonical: ' + service.baseUrl);
    expect(text).toMatch(/^Contact: mailto:watch@example\.org\n/);
    const expires = Date.parse(/\nExpires: (.+)\n/.exec(text)![1]!);
    expect(expires).toBeGreaterThan(service.clock.now());
    expect(expires - service.clock.now()).toBeLessThan(365 * 86_400_000);
    expect(await page('/about')).toContain('href="mailto:watch@example.org"');

    const unset = await (await fetch(`${silent.baseUrl}/.well-known/security.txt`)).text();
    expect(unset).toContain(`Contact: ${silent.baseUrl}/about#security\n`);
    expect(await page('/about', silent)).toMatch(/id="security"[^]*SECURITY_CONTACT/);
  });

  test('the page on privacy says how long events are kept here', async () => {
    expect(await page('/privacy')).toContain('for 30 days');
    expect(await page('/privacy', silent)).toContain('for 90 days');
    for (const path of ['/', '/about', '/privacy']) expect(await page(path)).toContain('href="/privacy"');
  });
});
