import { createHash, randomBytes } from 'node:crypto';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';

const service = useService();

function browser() {
  const jar = new Map<string, string>();
  return async (url: string, init: RequestInit = {}) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(new URL(url, service.baseUrl), {
      ...init,
      headers: { ...(cookie && { cookie }), ...(init.headers as Record<string, string>) },
      redirect: 'manual',
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return response;
  };
}

const verifier = randomBytes(32).toString('base64url');

function authorizeUrl(changes: Record<string, string | undefined> = {}): string {
  const params = {
    ...{ client_id: 'web', response_type: 'code', redirect_uri: `${service.baseUrl}/sign-in/callback` },
    ...{ scope: 'openid profile social', state: 'a-state', nonce: 'a-nonce', code_challenge_method: 'S256' },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    ...changes,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value !== undefined) query.set(name, value);
  return `/identity/auth?${query}`;
}

async function toSignInPage(open: ReturnType<typeof browser>, url = authorizeUrl()) {
  const start = await open(url);
  expect(start.status).toBe(303);
  const at = start.headers.get('location')!;
  return { at, page: await open(at) };
}

const submit = (
  open: ReturnType<typeof browser>,
  at: string,
  fields: Record<string, string>,
  origin = service.baseUrl,
) => {
  const headers = { origin, 'content-type': 'application/x-www-form-urlencoded' };
  return open(at, { method: 'POST', headers, body: new URLSearchParams(fields).toString() });
};

async function exchange(code: string, changes: Record<string, string> = {}) {
  const form = {
    ...{ grant_type: 'authorization_code', client_id: 'web', code, code_verifier: verifier },
    redirect_uri: `${service.baseUrl}/sign-in/callback`,
    ...changes,
  };
  const body = new URLSearchParams(form);
  const response = await fetch(`${service.baseUrl}/identity/token`, { method: 'POST', body });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

async function signInByPage(fields: Record<string, string>) {
  const open = browser();
  const { at } = await toSignInPage(open);
  const sent = await submit(open, at, fields);
  expect(sent.status).toBe(303);
  const back = await open(sent.headers.get('location')!);
  expect(back.status).toBe(303);
  const target = new URL(back.headers.get('location')!);
  expect(target.origin + target.pathname).toBe(`${service.baseUrl}/sign-in/callback`);
  expect(target.searchParams.get('state')).toBe('a-state');
  return target.searchParams.get('code')!;
}

describe('the embedded issuer', () => {
  test('publishes its discovery document under its own URL', async () => {
    const response = await fetch(`${service.baseUrl}/identity/.well-known/openid-configuration`);
    const found = (await response.json()) as { jwks_uri: string };
    const issuer = `${service.baseUrl}/identity`;
    expect(found).toMatchObject({
      ...{ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` },
      ...{ userinfo_endpoint: `${issuer}/userinfo`, response_types_supported: ['code'] },
      code_challenge_methods_supported: ['S256'],
    });
    const keys = (await (await fetch(found.jwks_uri)).json()) as { keys: object[] };
    expect(keys.keys).toHaveLength(1);
    expect(keys.keys[0]).not.toHaveProperty('d');
  });

  test('signs a person in by the code flow with PKCE, with a token that the API accepts', async () => {
    const code = await signInByPage({ username: 'Grace', social_handle: '@grace' });
    const { status, body } = await exchange(code);
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
    const idToken = await service.get('/api/v1/me', body['id_token']);
    expect(idToken.status).toBe(401);
    const userinfo = await fetch(`${service.baseUrl}/identity/userinfo`, {
      headers: { authorization: `Bearer ${body['access_token']}` },
    });
    const info = { sub: 'grace', preferred_username: 'Grace', social_handle: '@grace' };
    expect(await userinfo.json()).toEqual(info);
  });

  test('issues a code once, to the client that began, for its registered redirect', async () => {
    const code = await signInByPage({ username: 'ada' });
    const stolen = await exchange(code, { code_verifier: randomBytes(32).toString('base64url') });
    expect(stolen).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    const second = await signInByPage({ username: 'ada' });
    expect((await exchange(second)).status).toBe(200);
    expect((await exchange(second)).status).toBe(400);
  });

  test.each([
    ['no code challenge', { code_challenge: undefined, code_challenge_method: undefined }],
    ['another resource', { resource: 'https://other.example' }],
    ['a token without a code', { response_type: 'id_token' }],
  ])('rejects %s', async (_name, changes) => {
    const response = await browser()(authorizeUrl(changes));
    const back = response.headers.get('location') ?? '';
    expect(back).toMatch(/[?&#]error=/);
  });

  test('answers an unregistered redirect with its own page without scripts', async () => {
    const response = await browser()(authorizeUrl({ redirect_uri: 'https://evil.example/"><script>' }));
    expect(response.status).toBe(400);
    expect(response.headers.get('location')).toBeNull();
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await response.text()).not.toContain('<script');
  });

  test('lets a program on this machine receive the code on any port', async () => {
    const open = browser();
    const redirect_uri = 'http://127.0.0.1:49321/callback';
    const { at, page } = await toSignInPage(open, authorizeUrl({ client_id: 'native', redirect_uri }));
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("form-action 'self' http://127.0.0.1:49321;");
    const sent = await submit(open, at, { username: 'ada' });
    const back = new URL((await open(sent.headers.get('location')!)).headers.get('location')!);
    expect(back.origin).toBe('http://127.0.0.1:49321');
    const { status } = await exchange(back.searchParams.get('code')!, { client_id: 'native', redirect_uri });
    expect(status).toBe(200);
  });
});

describe('the sign-in page', () => {
  test('loads no foreign resource and runs no script', async () => {
    const { page } = await toSignInPage(browser());
    const html = await page.text();
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('cache-control')).toBe('no-store');
    const policy = page.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(html).not.toMatch(/<script|<style|\sstyle=|\son\w+=|src=|https?:\/\//i);
    expect(policy).toContain("style-src 'self'");
    expect(html).toContain('class="site-header"');
    expect(html).toMatch(/<link rel="stylesheet" href="\/assets\//);
  });

  test('shows what is wrong with a name, escaped, with the form', async () => {
    const open = browser();
    const { at } = await toSignInPage(open);
    const refused = await submit(open, at, { username: '"><img src=x>\u0007' });
    expect(refused.status).toBe(400);
    const html = await refused.text();
    expect(html).toContain('role="alert"');
    expect(html).not.toContain('<img');
    expect((await submit(open, at, { username: 'mended' })).status).toBe(303);
  });

  test('works only in the browser that began, and expires', async () => {
    const { at } = await toSignInPage(browser());
    expect((await browser()(at)).status).toBe(400);
    expect((await submit(browser(), at, { username: 'thief' })).status).toBe(400);
  });

  test('rejects a form from a different origin', async () => {
    const open = browser();
    const { at } = await toSignInPage(open);
    const response = await submit(open, at, { username: 'victim' }, 'https://evil.example');
    expect(response.status).toBe(403);
  });
});

test('a query of more than 64 parameters is rejected before the provider reads it', async () => {
  const answer = await browser()(`${authorizeUrl()}${'&a=1'.repeat(64)}`);
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('must have at most 64 parameters');
  expect((await browser()(`${authorizeUrl()}${'&a=1'.repeat(40)}`)).status).not.toBe(400);
});
