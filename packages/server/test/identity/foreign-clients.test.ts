import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { programAt, REDIRECT } from '../../../../testing/clients/program-sign-in.ts';
import { newReader } from '../../../../testing/clients/reader.ts';
import { useService } from '../../../../testing/service/service.ts';
import { ca, HOST, startTlsServer } from '../fixtures/tls-server.ts';

// These clients register, or their id is the URL of a document on a real https server.
const DOCUMENT = 'https://agents.example.org/client.json';
let document: { status: number; body: unknown };
let fetched = 0;
let server: Awaited<ReturnType<typeof startTlsServer>>;
const service = useService(async () => {
  server = await startTlsServer((_, response) => {
    fetched++;
    response.writeHead(document.status, { location: DOCUMENT }).end(JSON.stringify(document.body));
  });
  const domainCheck = { ca, testHosts: new Map([[HOST, server]]) };
  return { settings: { LIMIT_REGISTRATIONS_PER_HOUR: '40' }, domainCheck };
});
beforeEach(() => void (fetched = 0));
afterAll(() => server.close());

const register = (body: unknown) => service.post('/identity/register', body);
const program = programAt(() => service.baseUrl);
const begin = (clientId: string, changes = {}) =>
  newReader(service.baseUrl).open(program.authorizeUrl(clientId, changes));
const pageOf = async (clientId: string) => {
  const reader = newReader(service.baseUrl);
  return (await reader.open((await reader.open(program.authorizeUrl(clientId))).location!)).text;
};
async function signIn(clientId: string, username: string) {
  const { body } = await program.exchange(clientId, await program.getCode(clientId, username));
  return (await service.get('/api/v1/me', body.access_token)).body.user.username as string;
}

describe('a client that registers', () => {
  test('is public, and gets tokens of the API', async () => {
    const { status, body } = await register({
      client_name: 'Almagest',
      redirect_uris: [REDIRECT],
      scope: 'everything',
      logo_uri: 'http://x',
      grant_types: ['refresh_token'],
      token_endpoint_auth_method: 'client_secret_post',
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      client_id: expect.any(String),
      client_id_issued_at: expect.any(Number),
      client_name: 'Almagest',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    });
    expect(await signIn(body['client_id'], 'Hypatia')).toBe('hypatia');
  });

  test('is named on the sign-in page with the address that gets the access', async () => {
    const { body } = await register({ client_name: '<b>Almagest</b>', redirect_uris: [REDIRECT] });
    const html = await pageOf(body['client_id']);
    expect(html).toContain('&lt;b>Almagest&lt;/b>');
    expect(html).toContain('http://127.0.0.1:9');
    expect(await pageOf('svc-cli')).not.toContain('will act as you');
  });

  test('has PKCE, its own redirect URIs, and an id that this service issued', async () => {
    const { body } = await register({ redirect_uris: [REDIRECT] });
    const id = body['client_id'] as string;
    const bare = await begin(id, { code_challenge: undefined, code_challenge_method: undefined });
    expect(bare.location).toContain('error=invalid_request');
    expect((await begin(id, { redirect_uri: 'http://127.0.0.1:9/other' })).status).toBe(400);
    const evil = JSON.stringify({ redirect_uris: ['https://evil.example/'] });
    const said = Buffer.from(evil).toString('base64url');
    for (const forged of [`${said}.${id.split('.')[1]}`, said, `${said}.`, `${id}.`])
      expect((await begin(forged, { redirect_uri: 'https://evil.example/' })).status, forged).toBe(400);
  });

  test.each([
    ['no URI', {}],
    ['an empty list', { redirect_uris: [] }],
    ['too many URIs', { redirect_uris: Array(6).fill(REDIRECT) }],
    ['http on another host', { redirect_uris: ['http://example.org/'] }],
    ['https on this machine', { redirect_uris: ['https://localhost/'] }],
    ['a script', { redirect_uris: ['javascript://x/%0aalert(1)'] }],
    ['a scheme of the browser', { redirect_uris: ['view-source:https://example.org/'] }],
    ['a scheme that other programs own', { redirect_uris: ['mailto:/ada@example.org'] }],
    ['a private-use address without a path', { redirect_uris: ['almagest:callback'] }],
    ['credentials in a private-use address', { redirect_uris: ['almagest://ada@callback'] }],
    ['a fragment', { redirect_uris: [`${REDIRECT}#a`] }],
    ['credentials', { redirect_uris: ['https://user@example.org/'] }],
    ['a long URI', { redirect_uris: [`${REDIRECT}/${'a'.repeat(256)}`] }],
    ['a long name', { redirect_uris: [REDIRECT], client_name: 'a'.repeat(65) }],
    ['a name of two lines', { redirect_uris: [REDIRECT], client_name: 'a\nb' }],
  ])('is rejected with %s', async (_, metadata) => {
    const { status, body } = await register(metadata);
    expect(status).toBe(400);
    expect(body['error']).toMatch(/^invalid_(redirect_uri|client_metadata)$/);
  });
});

describe('a program with a private-use address (RFC 8252, 7.1)', () => {
  const CURSOR = 'cursor://anysphere.cursor-mcp/oauth/callback';

  test('registers all its addresses and receives the code at each', async () => {
    const redirect_uris = [CURSOR, REDIRECT, 'https://almagest.example/callback', 'org.example.app:/back'];
    const { status, body } = await register({ client_name: 'Cursor', redirect_uris });
    expect([status, body['redirect_uris']]).toEqual([201, redirect_uris]);
    const id = body['client_id'] as string;
    for (const redirect_uri of redirect_uris) {
      const code = await program.getCode(id, 'Hypatia', { redirect_uri });
      expect((await program.exchange(id, code, { redirect_uri })).status, redirect_uri).toBe(200);
    }
    expect((await begin(id, { redirect_uri: `${CURSOR}/other` })).status).toBe(400);
    const bare = { redirect_uri: CURSOR, code_challenge: undefined, code_challenge_method: undefined };
    expect((await begin(id, bare)).location).toMatch(/^cursor:.*error=invalid_request/);
  });

  test('is named with that address on the sign-in page, which may send the browser there', async () => {
    const { body } = await register({ redirect_uris: [CURSOR] });
    const reader = newReader(service.baseUrl);
    const start = await reader.open(program.authorizeUrl(body['client_id'], { redirect_uri: CURSOR }));
    const page = await reader.open(start.location!);
    expect(page.text).toContain(CURSOR);
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' cursor:;");
  });

  test('learns which of its addresses is wrong', async () => {
    const { status, body } = await register({ redirect_uris: [CURSOR, 'data:/x'] });
    expect([status, body['error']]).toEqual([400, 'invalid_redirect_uri']);
    expect(body['error_description']).toMatch(/^redirect_uris\[1\] /);
  });
});

describe('a client whose id is the URL of its metadata document', () => {
  const valid = { client_id: DOCUMENT, client_name: 'Almagest', redirect_uris: [REDIRECT] };

  test('is fetched once and gets tokens of the API', async () => {
    document = { status: 200, body: { ...valid, grant_types: ['authorization_code', 'refresh_token'] } };
    expect(await signIn(DOCUMENT, 'Theon')).toBe('theon');
    expect(await pageOf(DOCUMENT)).toContain('agents.example.org');
    expect(fetched).toBe(1);
  });

  test.each([
    ['a document of another id', '/other', { status: 200, body: valid }],
    ['a redirect', '/moved', { status: 302, body: valid }],
    ['no document', '/none', { status: 404, body: valid }],
    ['a foreign http address', '/http', { status: 200, body: { redirect_uris: ['http://example.org/'] } }],
  ])('is rejected with %s', async (_, path, answer) => {
    const id = `https://agents.example.org${path}`;
    document = { ...answer, body: path === '/other' ? answer.body : { ...answer.body, client_id: id } };
    expect((await begin(id)).status).toBe(400);
    expect(fetched).toBeGreaterThan(0);
  });

  test.each(['https://127.0.0.1/client.json', 'https://localhost/c', 'https://agents.example.org:8443/c'])(
    'is not fetched from %s',
    async (id) => {
      expect((await begin(id)).status).toBe(400);
      expect(fetched).toBe(0);
    },
  );
});

test('an address registers and has documents fetched a limited number of times', async () => {
  const all = await Promise.all(Array.from({ length: 41 }, () => register({ redirect_uris: [REDIRECT] })));
  expect(all.map(({ status }) => status)).toContain(429);
  document = { status: 200, body: { client_id: `${DOCUMENT}?2`, redirect_uris: [REDIRECT] } };
  expect((await begin(`${DOCUMENT}?2`)).status).toBe(400);
  expect(fetched).toBe(0);
});
