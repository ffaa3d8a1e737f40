import { randomBytes } from 'node:crypto';
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { createEmbeddedIssuer } from '../../src/identity/embedded/issuer.ts';
import { createKeyring } from '../../src/platform/secrets/keyring.ts';
import { useDatabase } from '../../../../testing/database/test-database.ts';
import { useService } from '../../../../testing/service/service.ts';

const service = useService();

const post = async (path: string, headers: Record<string, string>, raw = '{"username":"ada"}') =>
  (await service.post(path, undefined, { raw, headers })).status;

describe('POST /identity/dev-token', () => {
  const devToken = (body: unknown) => service.post('/identity/dev-token', body);

  test('issues a token for the named person', async () => {
    const answer = await devToken({ username: 'ada' });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(['access_token']);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    // Pages of a different origin cannot read it.
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    const claims = decodeJwt(answer.body.access_token);
    const by = { iss: `${service.baseUrl}/identity`, aud: service.baseUrl };
    expect(claims).toMatchObject({ ...by, sub: 'ada', preferred_username: 'ada' });
    expect(claims.exp! - claims.iat!).toBe(86_400);
  });

  const verifiedAt = (time: string) => ({ username: 'ada', social_handle: 'a', social_verified_at: time });
  test.each([
    ['no body', undefined],
    ['a list', []],
    ['no name', {}],
    ['a name that is no text', { username: 7 }],
    ['an empty name', { username: '  ' }],
    ['a name of 65 characters', { username: 'n'.repeat(65) }],
    ['a name with a control character', { username: 'a\u0007da' }],
    ['a name with an override of direction', { username: 'ada\u202e' }],
    ['a name that nobody sees', { username: '\u3164\u3164' }],
    ['a name with a tab', { username: 'a\tda' }],
    ['a handle that is no text', { username: 'ada', social_handle: {} }],
    ['an empty handle', { username: 'ada', social_handle: '' }],
    ['a time without a handle', { username: 'ada', social_verified_at: '2026-01-02T03:04:05Z' }],
    ['a time without a zone', verifiedAt('2026-01-02T03:04')],
    ['a time in the year 0', verifiedAt('0000-01-02T03:04:05Z')],
  ])('rejects %s', async (_name, body) => {
    const refused = { status: 400, body: { error: { code: 'bad_request' } } };
    expect(await devToken(body)).toMatchObject(refused);
  });

  test('answers at names of this machine, with our port', async () => {
    const { port } = new URL(service.baseUrl);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`])
      expect(await post('/identity/dev-token', { host }), host).toBe(200);
    expect(await post('/identity/dev-token', { origin: service.baseUrl })).toBe(200);
  });

  test.each([
    ['a foreign host', { host: 'evil.example' }],
    ['a foreign host with our port', { host: 'evil.example:PORT' }],
    ['a host that begins like ours', { host: '127.0.0.1.evil.example:PORT' }],
    ['our host with another port', { host: '127.0.0.1:1' }],
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['a proxy before us', { 'x-forwarded-for': '203.0.113.7' }],
    ['our origin with another port', { origin: 'http://127.0.0.1:1' }],
    ['our origin with another scheme', { origin: 'https://127.0.0.1:PORT' }],
    ['the origin null', { origin: 'null' }],
  ])('is rejected with %s', async (_name, headers: Record<string, string>) => {
    const { port } = new URL(service.baseUrl);
    const sent = JSON.parse(JSON.stringify(headers).replace('PORT', port));
    for (const path of ['dev-token', 'token', 'userinfo'])
      expect(await post(`/identity/${path}`, sent)).toBe(403);
  });

  test('accepts JSON only, which no form of another site can send', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded'])
      expect(await post('/identity/dev-token', { 'content-type': type }, 'username=a')).toBe(415);
  });
});

describe('the embedded issuer after a restart', () => {
  const db = useDatabase();
  const secret = randomBytes(32);
  const start = (secrets = [secret], baseUrl = 'http://127.0.0.1:3000') =>
    createEmbeddedIssuer({ baseUrl, audience: baseUrl, db, keyring: createKeyring(secrets) });

  test('accepts its earlier tokens, and finds its people, also at another port', async () => {
    const token = await start().devToken({ username: 'Ada', social_handle: '@ada_s' });
    const after = start();
    expect((await after.verify(token)).subject).toBe('ada');
    expect(await after.userinfo(token)).toMatchObject({ sub: 'ada', social_handle: '@ada_s' });
    expect(start([secret], 'http://127.0.0.1:3001').key).toBe(after.key);
  });

  test('accepts tokens of the old key after a new first key, but not of a foreign key', async () => {
    const rotated = start([randomBytes(32), secret]);
    expect((await rotated.verify(await start().devToken({ username: 'ada' }))).subject).toBe('ada');
    const foreign = await start([randomBytes(32)]).devToken({ username: 'ada' });
    await expect(rotated.verify(foreign)).rejects.toThrow('signature');
  });
});
