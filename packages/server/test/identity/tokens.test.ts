import { describe, expect, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';
import { type Minting, useIssuer } from '../../../../testing/issuer/standalone-issuer.ts';

const issuer = useIssuer();
const service = useService(async () => ({
  settings: { IDENTITY_ISSUER: (await issuer.ready).url, IDENTITY_CLIENT_ID: 'web' },
}));

const me = (key: string) => service.get('/api/v1/me', key);
const mint = (told?: Minting) => issuer.mint(service.baseUrl, told);
/** A service may take long to start, so the time is computed when the test runs. */
const within = (claim: 'exp' | 'nbf', seconds: number) => (): Minting => ({
  claims: { [claim]: Math.floor(Date.now() / 1000) + seconds },
});
type Told = Minting | (() => Minting);
/** Has only the required claims of an ID token; the service's audience is one of its two. */
const idTokenFor = (client: string) => (): Minting => ({
  header: { typ: 'JWT' },
  claims: { aud: [client, service.baseUrl], azp: client },
});
const mintNow = (told: Told) => mint(typeof told === 'function' ? told() : told);

describe('a session token of an outside issuer', () => {
  test.each<[string, Told]>([
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
    [
      'a nonce in a token of the type Bearer',
      { header: { typ: 'JWT' }, claims: { nonce: 'n', typ: 'Bearer' } },
    ],
  ])('is accepted: %s', async (_name, fields) => {
    expect((await me(await mintNow(fields))).status).toBe(200);
  });

  test('is accepted with several audiences, if ours is among them', async () => {
    const token = await mint({ claims: { aud: ['https://other.example', service.baseUrl] } });
    expect((await me(token)).status).toBe(200);
  });

  test.each<[string, Told, string]>([
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
    [
      'signed with the public key as a shared secret',
      { header: { alg: 'HS256' }, signature: 'hmac of the public key' },
      'algorithm',
    ],
    [
      'signed so under the name of RS256',
      { header: { alg: 'RS256' }, signature: 'hmac of the public key' },
      'signature',
    ],
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
    expect(answer.status, answer.text).toBe(401);
    expect(answer.body.error.code).toBe('unauthorized');
    expect(answer.body.error.message).toContain(reason);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('returns 401 when one letter is changed', async () => {
    const token = await mint();
    const [head, body, signature] = token.split('.');
    const other = Buffer.from(body!, 'base64url').toString().replace('"someone"', '"someon3"');
    const forged = [head, Buffer.from(other).toString('base64url'), signature].join('.');
    expect((await me(forged)).status).toBe(401);
  });

  test('is not verified with a key that it contains', async () => {
    const jwk = { kty: 'oct', k: Buffer.from('secret').toString('base64url') };
    const token = await mint({
      stranger: true,
      header: { jwk, jku: 'https://evil.example/jwks', kid: null },
    });
    expect((await me(token)).status).toBe(401);
  });

  test.each(['x', 'a.b.c', 'a.b', '..', 'eyJhbGciOiJSUzI1NiJ9.e30.', 'svc_sk_', 'ü.ü.ü', '{}'])(
    'returns 401 when it is only %s',
    async (token) => {
      const answer = await service.get('/api/v1/me', {
        headers: { authorization: `Bearer ${encodeURI(token)}` },
      });
      expect(answer.status).toBe(401);
    },
  );

  test('returns 401 on a public endpoint too when it is invalid', async () => {
    const token = await mintNow(within('exp', -60));
    expect((await service.get('/api/v1/challenges', token)).status).toBe(401);
  });

  test('returns 401 for an opaque token, with the page for keys, and logs it once', async () => {
    for (const opaque of ['ory_at_Zm9vYmFy.c2lnbmF0dXJl', 'ya29.A0AfH6SM']) {
      const answer = await me(opaque);
      expect(answer.status).toBe(401);
      expect(answer.body.error.message).toContain('a signed JSON Web Token');
      expect(answer.body.error.message).toContain(`${service.baseUrl}/account/keys`);
    }
    const told = service.log.filter((line) => line.includes('opaque access tokens'));
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/"level":40.*IDENTITY_ISSUER.*IDENTITY_AUDIENCE/);
    expect(told[0]).not.toContain('ory_at');
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
    const byKey = await service.call('PATCH', '/api/v1/me', { display_name: 'x' }, { key: key.body.api_key });
    expect(byKey.status).toBe(403);
    const bySession = await service.call('PATCH', '/api/v1/me', { display_name: 'x' }, { key: token });
    expect(bySession.status).toBe(200);
    expect(bySession.headers.get('x-ratelimit-limit')).toBeNull();
    for (const name of ['Ada ✓', 'Ada (Verified)']) {
      const posing = await service.call('PATCH', '/api/v1/me', { display_name: name }, { key: token });
      expect([posing.status, posing.body.error.details[0].path]).toEqual([400, 'display_name']);
    }
  });
});

describe('without an identity provider', () => {
  const alone = useService({ settings: { IDENTITY_EMBEDDED: 'false' } });

  test('agents work, and a session token gets the name of the missing setting', async () => {
    const agent = await alone.registerAgent();
    expect((await alone.get('/api/v1/me', agent.key)).status).toBe(200);
    const answer = await alone.get('/api/v1/me', await mint());
    expect(answer.status).toBe(401);
    expect(answer.body.error.message).toContain('IDENTITY_ISSUER');
  });

  test('the log says so, and the embedded issuer is off', async () => {
    expect(alone.log.join('\n')).toMatch(/people cannot sign in.*IDENTITY_ISSUER/);
    const answer = await alone.post('/identity/dev-token', { username: 'ada' });
    expect(answer.status).toBe(404);
    expect(answer.body.error.message).toContain('IDENTITY_ISSUER');
  });
});
