import { createHash, randomBytes } from 'node:crypto';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import { newReader, type Reader, type Shown } from '../../../../testing/clients/reader.ts';
import { useService } from '../../../../testing/service/service.ts';

const service = useService();
const browser = () => newReader(service.baseUrl);
const verifier = randomBytes(32).toString('base64url');

function authorizeUrl(changes: Record<string, string | undefined> = {}): string {
  const params = {
    client_id: 'web',
    response_type: 'code',
    redirect_uri: `${service.baseUrl}/sign-in/callback`,
    scope: 'openid profile social',
    state: 'a-state',
    nonce: 'a-nonce',
    code_challenge_method: 'S256',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    ...changes,
  };
  return `/identity/auth?${new URLSearchParams(JSON.parse(JSON.stringify(params)))}`;
}

async function toSignInPage(who: Reader = browser()): Promise<Shown & { at: string; who: Reader }> {
  const start = await who.open(authorizeUrl());
  expect(start.status).toBe(303);
  return { ...(await who.open(start.location!)), at: start.location!, who };
}

async function exchange(code: string, changes: Record<string, string> = {}) {
  const form = {
    grant_type: 'authorization_code',
    client_id: 'web',
    code,
    code_verifier: verifier,
    redirect_uri: `${service.baseUrl}/sign-in/callback`,
    ...changes,
  };
  const body = new URLSearchParams(form);
  const response = await fetch(`${service.baseUrl}/identity/token`, { method: 'POST', body });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

async function signInByPage(username: string, social?: string) {
  const { location } = await browser().enter(authorizeUrl(), username, social);
  const { pathname, searchParams } = new URL(location!, service.baseUrl);
  expect([pathname, searchParams.get('state')]).toEqual(['/sign-in/callback', 'a-state']);
  return searchParams.get('code')!;
}

describe('the embedded issuer', () => {
  test('publishes its discovery document under its own URL', async () => {
    const { body: found } = await service.get('/identity/.well-known/openid-configuration');
    const issuer = `${service.baseUrl}/identity`;
    expect(found).toMatchObject({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
    });
    const { keys } = (await (await fetch(found.jwks_uri)).json()) as { keys: object[] };
    expect(keys).toEqual([expect.not.objectContaining({ d: expect.anything() })]);
  });

  test('signs a person in by the code flow with PKCE, with a token that the API accepts', async () => {
    const { status, body } = await exchange(await signInByPage('Grace', '@grace'));
    expect(status, JSON.stringify(body)).toBe(200);
    const keys = createRemoteJWKSet(new URL(`${service.baseUrl}/identity/jwks`));
    const from = { issuer: `${service.baseUrl}/identity`, audience: 'web' };
    const id = await jwtVerify(body['id_token']!, keys, from);
    expect(id.payload).toMatchObject({ sub: 'grace', nonce: 'a-nonce' });
    expect(decodeProtectedHeader(body['access_token']!)).toMatchObject({ alg: 'ES256', typ: 'at+jwt' });
    const access = await jwtVerify(body['access_token']!, keys, { audience: service.baseUrl });
    expect(access.payload).toMatchObject({ sub: 'grace', preferred_username: 'Grace', client_id: 'web' });

    const linked = await service.post('/api/v1/me/social', undefined, body['access_token']);
    const user = { username: 'grace', social_handle: 'grace', social_linked: true };
    expect(linked.body.user).toMatchObject(user);
    expect((await service.get('/api/v1/me', body['id_token'])).status).toBe(401);
    const info = { sub: 'grace', preferred_username: 'Grace', social_handle: '@grace' };
    expect((await service.get('/identity/userinfo', body['access_token'])).body).toEqual(info);
  });

  test('issues a code once, to the client that began, for its registered redirect', async () => {
    const code_verifier = randomBytes(32).toString('base64url');
    const stolen = await exchange(await signInByPage('ada'), { code_verifier });
    expect(stolen).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    const second = await signInByPage('ada');
    for (const status of [200, 400]) expect((await exchange(second)).status).toBe(status);
  });

  test.each([
    ['no code challenge', { code_challenge: undefined, code_challenge_method: undefined }],
    ['another resource', { resource: 'https://other.example' }],
    ['a token without a code', { response_type: 'id_token' }],
  ])('rejects %s', async (_name, changes) => {
    expect((await browser().open(authorizeUrl(changes))).location).toMatch(/[?&#]error=/);
  });

  test('answers an unregistered redirect with its own page without scripts', async () => {
    const shown = await browser().open(authorizeUrl({ redirect_uri: 'https://evil.example/"><script>' }));
    expect(shown).toMatchObject({ status: 400, location: undefined });
    expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(shown.text).not.toContain('<script');
  });

  test('lets a program on this machine receive the code on any port', async () => {
    const redirect_uri = 'http://127.0.0.1:49321/callback';
    const client = authorizeUrl({ client_id: 'native', redirect_uri });
    const who = browser();
    const { headers } = await who.open((await who.open(client)).location!);
    const target = "form-action 'self' http://127.0.0.1:49321;";
    expect(headers.get('content-security-policy')).toContain(target);
    const back = new URL((await who.enter(client, 'ada')).location!);
    expect(back.origin).toBe('http://127.0.0.1:49321');
    const { status } = await exchange(back.searchParams.get('code')!, { client_id: 'native', redirect_uri });
    expect(status).toBe(200);
  });
});

describe('the sign-in page', () => {
  test('loads no foreign resource and runs no script', async () => {
    const { headers, text } = await toSignInPage();
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    const policy = headers.get('content-security-policy')!;
    for (const part of ["default-src 'none'", "style-src 'self'"]) expect(policy).toContain(part);
    expect(policy).not.toContain('unsafe');
    expect(text).not.toMatch(/<script|<style|\sstyle=|\son\w+=|src=|https?:\/\//i);
    expect(text).toMatch(/<link rel="stylesheet" href="\/assets\/[^]*class="site-header"/);
  });

  test('shows what is wrong with a name, escaped, with the form', async () => {
    const { who, at } = await toSignInPage();
    const { status, text } = await who.send(at, { username: '"><img src=x>\u0007' });
    expect(status).toBe(400);
    expect(text).toContain('role="alert"');
    expect(text).not.toContain('<img');
    expect((await who.send(at, { username: 'mended' })).status).toBe(303);
  });

  test('works only in the browser that began, and from no different origin', async () => {
    const { who, at } = await toSignInPage();
    expect((await browser().open(at)).status).toBe(400);
    expect((await browser().send(at, { username: 'thief' })).status).toBe(400);
    const evil = { origin: 'https://evil.example' };
    expect((await who.send(at, { username: 'victim' }, evil)).status).toBe(403);
  });
});

test('a query of more than 64 parameters is rejected before the provider reads it', async () => {
  const { status, text } = await browser().open(`${authorizeUrl()}${'&a=1'.repeat(64)}`);
  expect([status, text]).toEqual([400, expect.stringContaining('must have at most 64 parameters')]);
  expect((await browser().open(`${authorizeUrl()}${'&a=1'.repeat(40)}`)).status).not.toBe(400);
});
