// Runs on both databases.
import { beforeAll, describe, expect, test } from 'vitest';
import { programAt, REDIRECT, type TokenAnswer } from '../../../../testing/clients/program-sign-in.ts';
import { newReader } from '../../../../testing/clients/reader.ts';
import { useService } from '../../../../testing/service/service.ts';

const service = useService();
const program = programAt(() => service.baseUrl);
let id: string;

const register = async (client_name: string) => {
  const { body } = await service.post('/identity/register', { client_name, redirect_uris: [REDIRECT] });
  return body['client_id'] as string;
};
beforeAll(async () => void (id = await register('Almagest')));

const signIn = async (clientId = id, changes: Record<string, string> = {}) =>
  program.exchange(clientId, await program.getCode(clientId, 'Hypatia', changes));
const statusWith = async ({ body }: TokenAnswer) =>
  (await service.get('/api/v1/me', body.access_token)).status;
const refused = { status: 400, body: { error: 'invalid_grant' } };

describe('a refresh token', () => {
  test('gives new tokens, once', async () => {
    const first = await signIn();
    expect(first).toMatchObject({
      status: 200,
      body: { refresh_token: expect.any(String), scope: 'openid profile social' },
    });
    const second = await program.refresh(id, first.body.refresh_token);
    expect(second).toMatchObject({ status: 200, body: { expires_in: 3_600 } });
    expect(second.body.refresh_token).not.toBe(first.body.refresh_token);
    expect(await statusWith(second)).toBe(200);

    // A second use shows that a thief has a copy: every token of this sign-in ends.
    expect(await program.refresh(id, first.body.refresh_token)).toMatchObject(refused);
    expect(await program.refresh(id, second.body.refresh_token)).toMatchObject(refused);
    expect([await statusWith(first), await statusWith(second)]).toEqual([401, 401]);
  });

  test('used twice at once gives at most one token, which then ends', async () => {
    const { body } = await signIn();
    const answers = await Promise.all([1, 2].map(() => program.refresh(id, body.refresh_token)));
    expect(answers.map(({ status }) => status)).toContain(400);
    for (const answer of answers.filter(({ status }) => status === 200))
      expect(await statusWith(answer)).toBe(401);
  });

  test('is bound to its client and ends by revocation (RFC 7009), with its access token', async () => {
    const other = await register('Other');
    const tokens = await signIn();
    expect(await program.refresh(other, tokens.body.refresh_token)).toMatchObject(refused);
    const body = new URLSearchParams({ client_id: id, token: tokens.body.refresh_token });
    expect(
      (await fetch(`${service.baseUrl}/identity/token/revocation`, { method: 'POST', body })).status,
    ).toBe(200);
    expect(await program.refresh(id, tokens.body.refresh_token)).toMatchObject(refused);
    expect(await statusWith(tokens)).toBe(401);
  });

  test('is issued with `offline_access` too, with and without `prompt=consent`', async () => {
    const scope = 'openid profile social offline_access';
    for (const changes of [{ scope }, { scope, prompt: 'consent' }]) {
      const answer = await signIn(id, changes);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      expect((await program.refresh(id, answer.body.refresh_token)).status).toBe(200);
    }
  });

  test('is not issued to the pages of the service', async () => {
    const redirect_uri = `${service.baseUrl}/sign-in/callback`;
    const code = await program.getCode('web', 'Hypatia', { redirect_uri });
    const { status, body } = await program.exchange('web', code, { redirect_uri });
    expect([status, body.refresh_token]).toEqual([200, undefined]);
  });
});

describe('an authorization code used again', () => {
  test('ends every token that it gave', async () => {
    const code = await program.getCode(id, 'Hypatia');
    const first = await program.exchange(id, code);
    const second = await program.refresh(id, first.body.refresh_token);
    expect([await statusWith(first), await statusWith(second)]).toEqual([200, 200]);
    expect(await program.exchange(id, code)).toMatchObject(refused);
    expect([await statusWith(first), await statusWith(second)]).toEqual([401, 401]);
    expect(await program.refresh(id, second.body.refresh_token)).toMatchObject(refused);
  });

  test('twice at once gives no lasting token', async () => {
    const code = await program.getCode(id, 'Hypatia');
    const answers = await Promise.all([1, 2].map(() => program.exchange(id, code)));
    expect(answers.map(({ status }) => status)).toContain(400);
    for (const answer of answers.filter(({ status }) => status === 200)) {
      expect(await statusWith(answer)).toBe(401);
      expect(await program.refresh(id, answer.body.refresh_token)).toMatchObject(refused);
    }
  });
});

test('the metadata is at every address where clients look (RFC 8414, OpenID Connect Discovery)', async () => {
  const wanted = {
    issuer: `${service.baseUrl}/identity`,
    registration_endpoint: `${service.baseUrl}/identity/register`,
    grant_types_supported: ['authorization_code', 'refresh_token'],
    scopes_supported: expect.arrayContaining(['openid', 'offline_access']),
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: expect.arrayContaining(['none']),
  };
  for (const name of ['oauth-authorization-server', 'openid-configuration'])
    for (const path of [`/.well-known/${name}/identity`, `/identity/.well-known/${name}`]) {
      const { status, body } = await service.get(path);
      expect([path, status]).toEqual([path, 200]);
      expect(body, path).toMatchObject(wanted);
    }
});

test('the sign-in page says what the program may do, and for how long', async () => {
  const reader = newReader(service.baseUrl);
  const { text } = await reader.open((await reader.open(program.authorizeUrl(id))).location!);
  expect(text).toMatch(/create API keys, which stay valid until you\s+revoke them/);
  expect(text).toContain('14 days');
  expect(text).toContain('href="/account/keys"');
});
