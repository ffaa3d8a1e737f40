import { expect, test } from 'vitest';
import { signInByForm } from '../../../testing/clients/reader.ts';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { newSigningProgram } from './support/signing-program.ts';
import { accessToken, callOf, post, text } from './support/tools.ts';

const service = useSharedService();
const metadataPath = '/.well-known/oauth-protected-resource/mcp';

const postHere = (body: unknown, headers?: Record<string, string>) =>
  post(`${service.url}/mcp`, body, headers);

test('returns 401 with the source of tokens for a call that needs an account', async () => {
  for (const body of [
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    { jsonrpc: '2.0', id: 1, method: 'prompts/list' },
    callOf('search'),
    callOf('no_such_tool'),
    callOf('etch', { ...text, api_key: 'svc_sk_none' }),
  ])
    expect((await postHere(body)).status, JSON.stringify(body)).toBe(200);
  for (const body of [callOf('etch', text), callOf('whoami')]) {
    const refused = await postHere(body);
    expect(refused.status, JSON.stringify(body)).toBe(401);
    expect(refused.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${service.url}${metadataPath}", scope="openid profile social"`,
    );
    expect(refused.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
    expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining('register') } });
  }
  const wrong = await postHere(callOf('search'), { authorization: 'Bearer svc_sk_none' });
  expect(wrong.headers.get('www-authenticate')).toBe(
    `Bearer error="invalid_token", resource_metadata="${service.url}${metadataPath}"`,
  );
  const metadata = await fetch(service.url + metadataPath);
  expect(metadata.headers.get('access-control-allow-origin')).toBe('*');
  expect(await metadata.json()).toMatchObject({
    resource: `${service.url}/mcp`,
    authorization_servers: [`${service.url}/identity`],
    scopes_supported: ['openid', 'profile', 'social'],
    bearer_methods_supported: ['header'],
  });
});

test.each([
  ['registers itself and', undefined, 'Hypatia'],
  ['with the id svc-cli', 'svc-cli', 'Theon'],
])('the official client %s signs a person in, and acts as that person', async (_, id, name) => {
  const { kept, connect } = newSigningProgram(service.url, ['http://127.0.0.1:9/callback'], { id });
  const { client, transport, call } = await connect();
  try {
    expect((await client.listTools()).tools.length).toBeGreaterThan(15);
    expect(kept.page).toBeUndefined();
    await expect(call('whoami')).rejects.toThrow('Unauthorized');
    expect(kept.page!.searchParams.get('resource')).toBe(`${service.url}/mcp`);
    const back = new URL(await signInByForm(service.url, kept.page!.href, name));
    await transport.finishAuth(back.searchParams.get('code')!);
    // The service checks the audience of the token.
    const [, claims] = kept.tokens!.access_token.split('.');
    expect(JSON.parse(Buffer.from(claims!, 'base64url').toString())).toMatchObject({ aud: service.url });
    expect(await call('whoami')).toMatchObject({ account: { untrusted: { username: name.toLowerCase() } } });
  } finally {
    await client.close();
  }
});

test('a session token acts as its account, and no other kind of token does', async () => {
  const authorization = `Bearer ${await accessToken(service, 'maria')}`;
  const answer = await (await postHere(callOf('limits'), { authorization })).json();
  expect(answer.result.structuredContent).toMatchObject({
    account: { kind: 'human' },
    authenticated_with: { type: 'session' },
  });
  const [header, claims] = authorization.split('.');
  const forged = `${header}.${claims}.${'A'.repeat(86)}`;
  expect((await postHere(callOf('limits'), { authorization: forged })).status).toBe(401);
});
