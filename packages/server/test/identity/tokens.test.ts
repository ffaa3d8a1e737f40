import { describe, expect, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';
import { type Minting, useIssuer } from '../../../../testing/issuer/standalone-issuer.ts';

const issuer = useIssuer();
const service = useService(async () => ({
  settings: { IDENTITY_ISSUER: (await issuer.ready).url, IDENTITY_CLIENT_ID: 'web' },
}));

const me = (key: string) => service.get('/api/v1/me', key);
const mint = (minting?: Minting) => issuer.mint(service.baseUrl, minting);
/** A service may take long to start, so the time is computed when the test runs. */
const within = (claim: 'exp' | 'nbf', seconds: number) => (): Minting => ({
  claims: { [claim]: Math.floor(Date.now() / 1000) + seconds },
});
type Token = Minting | (() => Minting);
/** Has only the required claims of an ID token; the service's audience is one of its two. */
const idTokenFor = (client: string) => (): Minting => ({
  header: { typ: 'JWT' },
  claims: { aud: [client, service.baseUrl], azp: client },
});
const mintNow = (minting: Token) => mint(typeof minting === 'function' ? minting() : minting);
const hmac = { signature: 'hmac of the public key' } as const;
const refused = (...parts: string[]) => ({
  status: 401,
  body: { error: { code: 'unauthorized', message: expect.stringMatching(parts.join('[^]*')) } },
});

describe('a session token of an outside issuer', () => {
  test.each<[string, Token]>([
    ['RS256', { by: 'RS256' }],
    ['PS256', { by: 'PS256' }],
    ['ES256', { by: 'ES256' }],
    ['EdDSA', { by: 'EdDSA' }],
    ['the type JWT', { header: { typ: 'JWT' } }],
    ['no type', { header: { typ: null } }],
    ['ten seconds past its end', within('exp', -10)],
    ['ten seconds before its beginning', within('nbf', 10)],
    ['a nonce beside the type of an access token', { claims: { nonce: 'n' } }],
    ['a nonce beside a scope', { header: { typ: 'JWT' }, claims: { nonce: 'n', scope: 'openid' } }],
    ['a nonce and the type Bearer', { header: { typ: 'JWT' }, claims: { nonce: 'n', typ: 'Bearer' } }],
    ['our audience among several', () => ({ claims: { aud: ['https://other.example', service.baseUrl] } })],
  ])('is accepted: %s', async (_name, fields) => {
    expect((await me(await mintNow(fields))).status).toBe(200);
  });

  test.each<[string, Token, string]>([
    ['for another audience', { claims: { aud: 'https://other.example' } }, 'audience'],
    ['for no audience', { claims: { aud: null } }, 'audience'],
    ['of another issuer', { claims: { iss: 'https://other.example' } }, 'issuer'],
    ['of an issuer whose name ends otherwise', { claims: { iss: 'http://127.0.0.1:1' } }, 'issuer'],
    ['of no issuer', { claims: { iss: null } }, 'issuer'],
    ['that expired', within('exp', -60), 'expired'],
    ['that never expires', { claims: { exp: null } }, 'exp'],
    ['that is not valid yet', within('nbf', 120), 'not valid yet'],
    ['without a subject', { claims: { sub: null } }, 'sub'],
    ['with an empty subject', { claims: { sub: '' } }, 'subject'],
    ['with a subject of a megabyte’s kind', { claims: { sub: 's'.repeat(256) } }, 'subject'],
    ['with a subject that is no text', { claims: { sub: 7 } }, 'subject'],
    ['with a NUL in its subject', { claims: { sub: 'a\0b' } }, 'subject'],
    ['that is not signed', { header: { alg: 'none' }, signature: 'none' }, 'algorithm'],
    ['that says RS256 and is not signed', { signature: 'none' }, 'token'],
    ['signed with the public key as a shared secret', { header: { alg: 'HS256' }, ...hmac }, 'algorithm'],
    ['signed so under the name of RS256', { header: { alg: 'RS256' }, ...hmac }, 'signature'],
    ['signed by a stranger under a known key id', { stranger: true }, 'signature'],
    ['signed by a stranger under an unknown key id', { stranger: true, header: { kid: 'x' } }, 'signature'],
    ['of an algorithm that its key is not for', { by: 'RS256', header: { alg: 'ES256' } }, 'signature'],
    ['that is an ID token', { claims: { at_hash: 'x' } }, 'ID token'],
    ['that is an ID token by its own word', { claims: { typ: 'ID' } }, 'ID token'],
    ['that is an ID token by its nonce', { header: { typ: 'JWT' }, claims: { nonce: 'n' } }, 'ID token'],
    ['that is an ID token for the client of the pages', idTokenFor('web'), 'ID token'],
    ['that is an ID token for the client of svc', idTokenFor('svc-cli'), 'ID token'],
    ['that is a logout token', { header: { typ: 'logout+jwt' } }, 'access token'],
    ['with a critical header nobody knows', { header: { crit: ['x'], x: 1 } }, 'signature'],
  ])('returns 401 %s', async (_name, fields, reason) => {
    const answer = await me(await mintNow(fields));
    expect(answer).toMatchObject(refused(reason));
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('returns 401 when one letter is changed, and is not verified with a key that it contains', async () => {
    const [head, body, signature] = (await mint()).split('.');
    const other = Buffer.from(body!, 'base64url').toString().replace('"someone"', '"someon3"');
    const forged = [head, Buffer.from(other).toString('base64url'), signature].join('.');
    expect((await me(forged)).status).toBe(401);
    const jwk = { kty: 'oct', k: Buffer.from('secret').toString('base64url') };
    const header = { jwk, jku: 'https://evil.example/jwks', kid: null };
    expect((await me(await mint({ stranger: true, header }))).status).toBe(401);
  });

  test.each(['x', 'a.b.c', 'a.b', '..', 'eyJhbGciOiJSUzI1NiJ9.e30.', 'svc_sk_', 'ü.ü.ü', '{}'])(
    'returns 401 when it is only %s',
    async (token) => {
      expect((await me(encodeURI(token))).status).toBe(401);
    },
  );

  test('returns 401 on a public endpoint too when it is invalid', async () => {
    const token = await mintNow(within('exp', -60));
    expect((await service.get('/api/v1/challenges', token)).status).toBe(401);
  });

  test('returns 401 for an opaque token, with the page for keys, and logs it once', async () => {
    const advice = refused('a signed JSON Web Token', `${service.baseUrl}/account/keys`);
    for (const opaque of ['ory_at_Zm9vYmFy.c2lnbmF0dXJl', 'ya29.A0AfH6SM'])
      expect(await me(opaque)).toMatchObject(advice);
    const warnings = service.log.filter((line) => line.includes('opaque access tokens'));
    expect(warnings).toEqual([expect.stringMatching(/"level":40.*IDENTITY_ISSUER.*IDENTITY_AUDIENCE/)]);
    expect(warnings[0]).not.toContain('ory_at');
  });

  test('is never in the log', async () => {
    const token = await mint({ claims: { sub: 'canary-subject' } });
    await me(token);
    await me(`${token}x`);
    expect(service.log.join('\n')).not.toContain(token.split('.')[2]!.slice(0, 40));
  });

  test('may write, unlike a read key, and has no request limit', async () => {
    const token = await mint({ claims: { sub: 'writer', preferred_username: 'writer' } });
    const key = await service.post('/api/v1/me/keys', { name: 'r' }, token);
    expect(key.status).toBe(201);
    const rename = (display_name: string, by = token) =>
      service.call('PATCH', '/api/v1/me', { display_name }, { key: by });
    expect((await rename('x', key.body.api_key)).status).toBe(403);
    const bySession = await rename('x');
    expect([bySession.status, bySession.headers.get('x-ratelimit-limit')]).toEqual([200, null]);
    const posing = { status: 400, body: { error: { details: [{ path: 'display_name' }] } } };
    for (const name of ['Ada ✓', 'Ada (Verified)']) expect(await rename(name)).toMatchObject(posing);
  });
});

describe('without an identity provider', () => {
  const alone = useService({ settings: { IDENTITY_EMBEDDED: 'false' } });

  test('agents work, and the log and every answer to people name the missing setting', async () => {
    const agent = await alone.registerAgent();
    expect((await alone.get('/api/v1/me', agent.key)).status).toBe(200);
    expect(await alone.get('/api/v1/me', await mint())).toMatchObject(refused('IDENTITY_ISSUER'));
    expect(alone.log.join('\n')).toMatch(/people cannot sign in.*IDENTITY_ISSUER/);
    const answer = await alone.post('/identity/dev-token', { username: 'ada' });
    expect([answer.status, answer.text]).toEqual([404, expect.stringContaining('IDENTITY_ISSUER')]);
  });
});
