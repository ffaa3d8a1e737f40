import { createHash } from 'node:crypto';
import sql from 'sql-template-tag';
import { afterEach, expect, it } from 'vitest';
import { newReader, type Reader, signedIn as signedInAt } from '../../../../testing/clients/reader.ts';
import { useService } from '../../../../testing/service/service.ts';
import type { SignInClient } from '../../src/identity/web-session/client.ts';
import { createWebSessions } from '../../src/identity/web-session/sessions.ts';

const service = useService({
  settings: { TEST_SESSION_IDLE_SECONDS: '3600', TEST_SESSION_MAX_SECONDS: '86400' },
});
afterEach(() => service.clock.release());
const reader = () => newReader(service.baseUrl);
const signedIn = (name = 'ada') => signedInAt(service, name);
const cookie = (what: string): string => `svc_${what}_${new URL(service.baseUrl).port}`;
const almostSignedIn = async (who: Reader, username: string) =>
  who.enter((await who.open('/sign-in/start')).location!, username);
const status = async (who: Reader, path = '/account') => (await who.open(path)).status;
const sessions = () => service.db.query<Record<string, unknown>>(sql`select * from web_session`);

it('signing in redirects to the issuer and back to the same page, with a session', async () => {
  const ada = reader();
  const refused = await ada.open('/account');
  expect([refused.status, refused.location]).toEqual([303, '/sign-in?return=%2Faccount']);
  const page = await ada.open(refused.location!);
  expect(page.text).toContain('href="/sign-in/start?return=%2Faccount"');
  const home = await ada.signIn('ada', { returnTo: '/account' });
  expect(home.location).toBe('/account');
  const { text, headers } = await ada.open('/account');
  expect(text).toMatch(/<meta name="robots" content="noindex"\/>[^]*@ada/);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('content-security-policy')).toContain("script-src 'self'");
  expect(headers.get('content-security-policy')).not.toContain('unsafe');
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
  const value = (await signedIn()).jar.get(cookie('session'))!;
  expect(value).toMatch(/^[\w-]{43}$/);
  const hash = createHash('sha256').update(value).digest();
  const own = (await sessions()).find((row) => hash.equals(row['hash'] as Buffer))!;
  const columns = Object.values(own).map((one) => (Buffer.isBuffer(one) ? one : Buffer.from(String(one))));
  const stored = Buffer.concat(columns);
  // `eyJ` begins a JSON Web Token.
  for (const plain of ['eyJ', 'access', 'refresh', value]) expect(stored.includes(plain), plain).toBe(false);
  for (const line of service.log) expect(line).not.toContain(value);
});

it('gives the session a new value each time, and ends the old one', async () => {
  const ada = await signedIn();
  const first = ada.jar.get(cookie('session'))!;
  await ada.signIn('ada');
  const second = ada.jar.get(cookie('session'))!;
  expect(second).not.toBe(first);
  const thief = reader();
  thief.jar.set(cookie('session'), first);
  expect([await status(thief), await status(ada)]).toEqual([303, 200]);
});

it('signing in works only in the browser that began it', async () => {
  const victim = reader();
  const back = await almostSignedIn(reader(), 'attacker');
  for (let time = 0; time < 2; time++) {
    const { location } = await victim.open(back.location!);
    expect(location).toMatch(/^\/sign-in\?problem=stale/);
    expect(victim.jar.has(cookie('session'))).toBe(false);
    expect((await victim.open(location!)).text).toContain('This sign-in is over');
    await victim.open('/sign-in/start');
  }
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
  const answer = { error: 'access_denied', state, iss: `${service.baseUrl}/identity` };
  const back = await ada.open(`/sign-in/callback?${new URLSearchParams(answer)}`);
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
  const ada = await signedIn();
  expect((await ada.open('/api/v1/me', { accept: 'application/json' })).status).toBe(401);
  const posted = await ada.send('/api/v1/follows', { target_type: 'category', target_id: 'ai' });
  expect(posted.status).toBe(401);
});

it('a session is extended by use, and ends without it', async () => {
  const ada = await signedIn();
  for (const [minutes, expected] of [...Array(4).fill([45, 200]), [61, 303]]) {
    service.clock.advance(minutes * 60_000);
    expect(await status(ada)).toBe(expected);
  }
});

it('a session ends at its maximum age, even if used, and is deleted', async () => {
  const ada = await signedIn('absolute');
  for (const [minutes, expected] of [...Array(24).fill([59, 200]), [25, 303]]) {
    service.clock.advance(minutes * 60_000);
    expect(await status(ada)).toBe(expected);
  }
  await service.runTask('forget sessions');
  expect(await sessions()).toEqual([]);
});

it('a session ends at once at sign-out', async () => {
  const ada = await signedIn();
  const value = ada.jar.get(cookie('session'))!;
  expect(await status(ada, '/sign-out')).toBe(404);
  const out = await ada.send('/sign-out', {});
  expect([out.status, out.location]).toEqual([303, '/signed-out']);
  expect(ada.jar.has(cookie('session'))).toBe(false);
  expect((await ada.open('/signed-out')).text).toContain('You are signed out');
  ada.jar.set(cookie('session'), value);
  expect(await status(ada)).toBe(303);
});

it('a session leaves pages readable while the database is away, and works again afterwards', async () => {
  const ada = await signedIn();
  service.outage.on = true;
  const [open, away] = [await ada.open('/verify'), await ada.open('/account')];
  service.outage.on = false;
  expect([open.status, away.status]).toEqual([200, 503]);
  expect(away.text).toContain('What was acknowledged is stored');
  expect(await status(ada)).toBe(200);
});

it('a session uses a renewed token also when it was read before, and no refresh token twice', async () => {
  const shown: (string | undefined)[] = [];
  const tokensOf = (at: number) => ({
    access: `access ${at}`,
    refresh: `refresh ${at}`,
    id: undefined,
    expiresAt: service.clock.now() + 600_000,
  });
  // The refresh tokens of most issuers work once.
  const refresh: SignInClient['refresh'] = async (tokens) => tokensOf(shown.push(tokens.refresh));
  const { userId } = await service.signIn('ada');
  const people = { of: async () => ({ user_id: userId }) } as never;
  const { config, db, clock, keyring } = service;
  const parts = { config, db, clock, keyring, log: { warn: () => undefined } };
  const sessions = createWebSessions(parts, { refresh } as SignInClient, people);
  const value = await sessions.begin({ subject: 'ada', claims: {}, tokens: tokensOf(0) }, undefined);
  const one = (await sessions.find(value))!;
  const other = (await sessions.find(value))!;
  expect(await other.token()).toBe('access 0');
  service.clock.advance(11 * 60_000);
  expect(await one.token()).toBe('access 1');
  expect(await other.token()).toBe('access 1');
  expect(shown).toEqual(['refresh 0']);
  service.clock.advance(11 * 60_000);
  expect(await (await sessions.find(value))!.token()).toBe('access 2');
  expect(shown).toEqual(['refresh 0', 'refresh 1']);
});

const bare = useService({ settings: { IDENTITY_EMBEDDED: 'false' } });
it('without an identity provider, the sign-in page names the missing setting', async () => {
  const visitor = newReader(bare.baseUrl);
  const { text } = await visitor.open('/sign-in');
  for (const part of ['IDENTITY_ISSUER', `${bare.baseUrl}/sign-in/callback`]) expect(text).toContain(part);
  expect((await visitor.open('/sign-in/start')).location).toBe('/sign-in?return=%2F');
  expect((await visitor.open('/feed')).location).toBe('/sign-in?return=%2Ffeed');
  expect((await visitor.send('/sign-out', {})).location).toBe('/signed-out');
});
