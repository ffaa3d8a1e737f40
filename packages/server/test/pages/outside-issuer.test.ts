import { afterEach, beforeEach, expect, it } from 'vitest';
import { newReader, type Reader, type Shown } from '../../../../testing/clients/reader.ts';
import { useService } from '../../../../testing/service/service.ts';
import { useIssuer } from '../../../../testing/issuer/standalone-issuer.ts';

const issuer = useIssuer();
const AUDIENCE = 'https://service.example';
const SECRET = 'a secret of the client';
const service = useService(async () => {
  const ready = await issuer.ready;
  await ready.signIn({ endSession: true });
  const identity = { IDENTITY_ISSUER: ready.url, IDENTITY_AUDIENCE: AUDIENCE, IDENTITY_CLIENT_ID: 'web' };
  const secret = { IDENTITY_CLIENT_SECRET: SECRET, TEST_SESSION_MAX_SECONDS: '864000' };
  return { settings: { ...identity, ...secret } };
});
let reader: Reader;
const cookie = (what: string): string => `svc_${what}_${new URL(service.baseUrl).port}`;

beforeEach(async () => {
  reader = newReader(service.baseUrl);
  const person = { sub: 'outside|1', claims: { preferred_username: 'olga' } };
  await issuer.signIn({ ...person, audience: AUDIENCE, secret: SECRET, expiresIn: 600, refresh: false });
});
afterEach(async () => {
  service.clock.release();
  for (const path of ['/token', '/.well-known/openid-configuration', '/userinfo']) await issuer.answer(path);
});

async function signIn(between: () => Promise<unknown> = async () => {}): Promise<Shown> {
  const start = await reader.open('/sign-in/start?return=/account');
  expect(start.location, start.text).toContain(`${issuer.url}/authorize?`);
  const there = await fetch(start.location!, { redirect: 'manual' });
  await between();
  return reader.open(there.headers.get('location')!);
}
const status = async (path: string, by = reader) => (await by.open(path)).status;

const tokenRequests = async (): Promise<URLSearchParams[]> =>
  (await issuer.requests('/token')).map(({ body }) => new URLSearchParams(body));

it('an outside issuer gets a code request with PKCE, state and nonce; the secret stays on the server', async () => {
  const start = await reader.open('/sign-in/start');
  const random = expect.stringMatching(/^[\w-]{43,}$/);
  expect(Object.fromEntries(new URL(start.location!).searchParams)).toMatchObject({
    client_id: 'web',
    response_type: 'code',
    redirect_uri: `${service.baseUrl}/sign-in/callback`,
    scope: 'openid profile',
    code_challenge_method: 'S256',
    state: random,
    nonce: random,
    code_challenge: random,
  });
  expect(start.location).not.toContain(SECRET.split(' ')[1]);
  expect((await signIn()).location).toBe('/account');
  const page = await reader.open('/account');
  expect(page.text).toContain('@olga');
  for (const text of [page.text, reader.cookie(), service.log.join()]) expect(text).not.toContain('eyJ');
});

it.each([
  ['for another client', { aud: 'other' }],
  ['by another issuer', { iss: 'https://evil.example' }],
  ['to another question', { nonce: 'replayed' }],
  ['too late', { exp: 1 }],
])('signs no one in when it answers %s', async (_name, claims) => {
  await issuer.signIn({ claims: { preferred_username: 'olga', ...claims } });
  expect((await signIn()).location).toMatch(/^\/sign-in\?problem=refused/);
  expect(reader.jar.has(cookie('session'))).toBe(false);
});

it('signs no one in with a withdrawn key', async () => {
  const id_token = await issuer.mint('web', { stranger: true, claims: { sub: 'outside|1' } });
  const body = { token_type: 'Bearer', access_token: 'x', expires_in: 600, id_token };
  const back = await signIn(() => issuer.answer('/token', { body }));
  expect(back.location).toMatch(/problem=refused/);
});

it('renews tokens early, uses each refresh token once, and no page waits', async () => {
  await issuer.signIn({ refresh: true });
  await signIn();
  const before = (await tokenRequests()).length;
  service.clock.advance(9.5 * 60_000);
  const pages = await Promise.all(Array.from({ length: 6 }, () => status('/account')));
  expect(pages).toEqual(Array(6).fill(200));
  await expect.poll(async () => (await tokenRequests()).length).toBe(before + 1);
  expect((await tokenRequests()).at(-1)!.get('grant_type')).toBe('refresh_token');
  service.clock.advance(9.5 * 60_000);
  await issuer.userinfo('outside|1', { social_handle: 'olga_s' });
  const done = await reader.send('/account/social', {});
  expect(done.location, done.text).toBe('/account?done=social');
  expect((await reader.open('/account')).text).toContain('olga_s');
});

it('ends the session when it revokes the grant', async () => {
  await issuer.signIn({ refresh: true });
  await signIn();
  await issuer.answer('/token', { status: 400, body: { error: 'invalid_grant' } });
  service.clock.advance(11 * 60_000);
  expect(await status('/account')).toBe(200);
  await expect.poll(() => status('/account')).toBe(303);
});

it('ends its own session at sign-out, if it offers that, once and for the same browser', async () => {
  await signIn();
  const out = await reader.send('/sign-out', {});
  expect(await status('/account')).toBe(303);
  expect((await reader.open(out.location!)).text).toContain('href="/sign-out/issuer"');
  const leaving = reader.jar.get(cookie('leaving'))!;
  const stranger = newReader(service.baseUrl);
  expect((await stranger.open('/sign-out/issuer')).location).toBe('/signed-out');
  const there = new URL((await reader.open('/sign-out/issuer')).location!);
  expect(there.origin + there.pathname).toBe(`${issuer.url}/end`);
  expect(there.searchParams.get('post_logout_redirect_uri')).toBe(`${service.baseUrl}/signed-out`);
  expect(there.searchParams.get('id_token_hint')).toMatch(/^eyJ/);
  reader.jar.set(cookie('leaving'), leaving);
  expect((await reader.open('/sign-out/issuer')).location).toBe('/signed-out');
  reader.jar.set(cookie('session'), leaving);
  expect(await status('/account')).toBe(303);
});

it('while down, allows no sign-in and ends no session', async () => {
  await issuer.signIn({ refresh: true });
  await signIn();
  await issuer.stop();
  try {
    service.clock.advance(3_600_000);
    const stranger = newReader(service.baseUrl);
    for (const path of ['/', '/search', '/challenges', '/topics/ai', '/u/olga', '/verify', '/sign-in'])
      expect(await status(path, stranger), path).toBe(200);
    for (const path of ['/account', '/write', '/feed', '/watching', '/account/keys', '/account/limits'])
      expect(await status(path), path).toBe(200);
    const text = expect.stringContaining('identity provider cannot be reached, or your');
    expect(await reader.send('/account/social', {})).toMatchObject({ status: 403, text });
    expect((await reader.send('/sign-out', {})).location).toBe('/signed-out');
  } finally {
    await issuer.restart();
  }
});
