import { createHash } from 'node:crypto';
import sql from 'sql-template-tag';
import { afterEach, expect, it } from 'vitest';
import { newReader, type Reader } from '../../../../testing/clients/reader.ts';
import { signedIn } from './ada.ts';
import { useService } from '../../../../testing/service/service.ts';

const service = useService({
  settings: { TEST_SESSION_IDLE_SECONDS: '3600', TEST_SESSION_MAX_SECONDS: '86400' },
});
afterEach(() => service.clock.release());
const reader = () => newReader(service.baseUrl);
const cookie = (what: string): string => `svc_${what}_${new URL(service.baseUrl).port}`;
async function almostSignedIn(who: Reader, username: string) {
  const start = await who.open('/sign-in/start');
  const asked = await who.open(start.location!);
  const entered = await who.send(asked.location!, { username, social_handle: '' });
  return who.open(entered.location!);
}
const sessions = () => service.db.query<Record<string, unknown>>(sql`select * from web_session`);

it('signing in redirects to the issuer and back to the same page, with a session', async () => {
  const ada = reader();
  const refused = await ada.open('/account');
  expect([refused.status, refused.location]).toEqual([303, '/sign-in?return=%2Faccount']);
  const page = await ada.open(refused.location!);
  expect(page.text).toContain('href="/sign-in/start?return=%2Faccount"');
  const home = await ada.signIn('ada', { returnTo: '/account' });
  expect(home.location).toBe('/account');
  const account = await ada.open('/account');
  expect(account.status).toBe(200);
  expect(account.text).toContain('@ada');
  expect(account.headers.get('cache-control')).toBe('no-store');
  expect(account.text).toContain('<meta name="robots" content="noindex"/>');
  expect(account.headers.get('content-security-policy')).toContain("script-src 'self'");
  expect(account.headers.get('content-security-policy')).not.toContain('unsafe');
});

it('signing in sets cookies that scripts and other sites cannot use', async () => {
  const start = await reader().open('/sign-in/start');
  const [line] = start.headers.getSetCookie();
  expect(line).toMatch(new RegExp(`^${cookie('sign_in')}=`));
  const home = await reader().signIn('ada');
  for (const set of [line!, ...home.headers.getSetCookie()]) {
    expect(set).toMatch(/; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
    expect(set).not.toMatch(/domain=/i);
  }
});

it('signing in stores neither the cookie nor a token in plain text', async () => {
  const ada = await signedIn(service, 'ada');
  const value = ada.jar.get(cookie('session'))!;
  expect(value).toMatch(/^[\w-]{43}$/);
  const rows = await sessions();
  const hash = createHash('sha256').update(value).digest();
  const own = rows.find((row) => hash.equals(row['hash'] as Buffer))!;
  const stored = Buffer.concat(
    Object.values(own).map((column) => (Buffer.isBuffer(column) ? column : Buffer.from(String(column)))),
  );
  // `eyJ` begins a JSON Web Token.
  for (const plain of ['eyJ', 'access', 'refresh', value]) expect(stored.includes(plain), plain).toBe(false);
  for (const line of service.log) expect(line).not.toContain(value);
});

it('gives the session a new value each time, and ends the old one', async () => {
  const ada = await signedIn(service, 'ada');
  const first = ada.jar.get(cookie('session'))!;
  await ada.signIn('ada');
  const second = ada.jar.get(cookie('session'))!;
  expect(second).not.toBe(first);
  const thief = reader();
  thief.jar.set(cookie('session'), first);
  expect((await thief.open('/account')).status).toBe(303);
  expect((await ada.open('/account')).status).toBe(200);
});

it('signing in works only in the browser that began it', async () => {
  const [attacker, victim] = [reader(), reader()];
  const back = await almostSignedIn(attacker, 'attacker');
  const cold = await victim.open(back.location!);
  expect(cold.location).toMatch(/^\/sign-in\?problem=stale/);
  await victim.open('/sign-in/start');
  const warm = await victim.open(back.location!);
  expect(warm.location).toMatch(/^\/sign-in\?problem=stale/);
  expect(victim.jar.has(cookie('session'))).toBe(false);
  expect((await victim.open(warm.location!)).text).toContain('This sign-in is over');
});

it('signing in expires', async () => {
  const slow = reader();
  const back = await almostSignedIn(slow, 'slow');
  service.clock.advance(15 * 60_000);
  expect((await slow.open(back.location!)).location).toMatch(/problem=stale/);
});

it('signing in shows that the issuer rejected it', async () => {
  const ada = reader();
  const start = await ada.open('/sign-in/start');
  const state = new URL(start.location!, service.baseUrl).searchParams.get('state')!;
  const back = await ada.open(
    `/sign-in/callback?error=access_denied&state=${state}&iss=${encodeURIComponent(`${service.baseUrl}/identity`)}`,
  );
  expect(back.location).toMatch(/^\/sign-in\?problem=refused/);
  expect((await ada.open(back.location!)).text).toContain('You were not signed in');
});

it.each([
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example',
  '/\t/evil.example',
  '\\\\evil.example',
  'javascript:alert(1)',
  '/.//evil.example',
  '/sign-out/issuer',
  'account',
  '/account\r\nSet-Cookie: a=b',
])('signing in returns to a page of the service only: not to %j', async (target) => {
  const start = await reader().open(`/sign-in?return=${encodeURIComponent(target)}`);
  expect(start.text).toContain('href="/sign-in/start?return=%2F"');
  const ada = reader();
  expect((await ada.signIn('ada', { returnTo: target })).location).toBe('/');
});

it('a session is no credential for the API', async () => {
  const ada = await signedIn(service, 'ada');
  const answer = await ada.open('/api/v1/me', { accept: 'application/json' });
  expect(answer.status).toBe(401);
  const posted = await ada.send('/api/v1/follows', { target_type: 'category', target_id: 'ai' });
  expect(posted.status).toBe(401);
});

it('a session is extended by use, and ends without it', async () => {
  const ada = await signedIn(service, 'ada');
  for (let use = 0; use < 4; use++) {
    service.clock.advance(45 * 60_000);
    expect((await ada.open('/account')).status).toBe(200);
  }
  service.clock.advance(61 * 60_000);
  expect((await ada.open('/account')).status).toBe(303);
});

it('a session ends at its maximum age, even if used, and is deleted', async () => {
  const ada = reader();
  await ada.signIn('absolute');
  for (let hour = 0; hour < 47; hour++) {
    service.clock.advance(30 * 60_000);
    expect((await ada.open('/account')).status).toBe(200);
  }
  service.clock.advance(31 * 60_000);
  expect((await ada.open('/account')).status).toBe(303);
  await service.runTask('forget sessions');
  expect(await sessions()).toEqual([]);
});

it('a session ends at once at sign-out', async () => {
  const ada = await signedIn(service, 'ada');
  const value = ada.jar.get(cookie('session'))!;
  expect((await ada.open('/sign-out')).status).toBe(404);
  const out = await ada.send('/sign-out', {});
  expect([out.status, out.location]).toEqual([303, '/signed-out']);
  expect(ada.jar.has(cookie('session'))).toBe(false);
  expect((await ada.open('/signed-out')).text).toContain('You are signed out');
  ada.jar.set(cookie('session'), value);
  expect((await ada.open('/account')).status).toBe(303);
});

it('a session leaves pages readable while the database is away, and works again afterwards', async () => {
  const ada = await signedIn(service, 'ada');
  service.outage.on = true;
  const [open, away] = [await ada.open('/verify'), await ada.open('/account')];
  service.outage.on = false;
  expect([open.status, away.status]).toEqual([200, 503]);
  expect(away.text).toContain('what was acknowledged is stored');
  expect((await ada.open('/account')).status).toBe(200);
});

const bare = useService({ settings: { IDENTITY_EMBEDDED: 'false' } });
it('without an identity provider, the sign-in page names the missing setting', async () => {
  const visitor = newReader(bare.baseUrl);
  const page = await visitor.open('/sign-in');
  expect(page.status).toBe(200);
  expect(page.text).toContain('IDENTITY_ISSUER');
  expect(page.text).toContain(`${bare.baseUrl}/sign-in/callback`);
  expect((await visitor.open('/sign-in/start')).location).toBe('/sign-in?return=%2F');
  expect((await visitor.open('/write')).location).toBe('/sign-in?return=%2Fwrite');
  const out = await visitor.send('/sign-out', {});
  expect(out.location).toBe('/signed-out');
});
