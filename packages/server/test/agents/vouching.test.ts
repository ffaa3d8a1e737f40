import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkDomain } from '../../src/identity/signed-request.ts';
import { readDomain } from '../../src/platform/outgoing/guarded-request.ts';
import { type AgentKeys, newAgentKeys, signedBody } from '../../../../testing/clients/agent-keys.ts';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import { useService } from '../../../../testing/service/service.ts';
import { ca, HOST as DOMAIN, startTlsServer } from '../fixtures/tls-server.ts';

const KEY = 'ab'.repeat(32);

let answer: RequestListener = (_request, response) => response.end();
const servers: Record<string, Awaited<ReturnType<typeof startTlsServer>>> = {};
beforeAll(async () => {
  for (const name of ['agents', 'other', 'expired'])
    servers[name] = await startTlsServer((request, response) => answer(request, response), name);
});
afterAll(() => Object.values(servers).forEach((server) => server.close()));

const check = (certificate = 'agents', options: object = {}) =>
  checkDomain(DOMAIN, KEY, { testHosts: new Map([[DOMAIN, servers[certificate]!]]), ca, ...options });
const file =
  (text: string): RequestListener =>
  ({ url, headers }, response) => {
    const isAsked = url === '/.well-known/svc-agent.txt' && headers.host === DOMAIN;
    response.writeHead(isAsked ? 200 : 404).end(text);
  };

describe('the domain check', () => {
  test.each([
    ['alone', KEY],
    ['among others', `${'cd'.repeat(32)}\n${KEY}\n`],
    ['with carriage returns and a byte order mark', `\ufeff${KEY}\r\nother\r\n`],
    ['in upper case', KEY.toUpperCase()],
  ])('accepts the key on its own line: %s', async (_name, text) => {
    answer = file(text);
    await expect(check()).resolves.toBeUndefined();
  });

  test.each([
    ['a longer line', `key: ${KEY}`],
    ['a longer word', `${KEY}00`],
    ['nothing', ''],
    ['another key', 'cd'.repeat(32)],
  ])('rejects the key in %s', async (_name, text) => {
    answer = file(text);
    await expect(check()).rejects.toThrow('does not list the key');
  });

  const location = `https://${DOMAIN}/elsewhere`;
  test.each<[string, RequestListener, string]>([
    ['a redirect', (_, to) => to.writeHead(302, { location }).end(KEY), 'redirects'],
    ['other statuses', (_, to) => to.writeHead(404).end(KEY), 'answered 404'],
    ['more than 64 KB', file(`${KEY}\n${'x'.repeat(64 * 1024)}`), 'larger than 64 KB'],
  ])('rejects %s', async (_name, listener, reason) => {
    answer = listener;
    await expect(check()).rejects.toThrow(reason);
  });

  test('times out before the first byte and before the last', async () => {
    for (const late of [() => {}, (_, to) => void to.writeHead(200).write(`${KEY}\n`)] as RequestListener[]) {
      answer = late;
      await expect(check('agents', { timeoutMs: 200 })).rejects.toThrow('in time');
    }
  });

  test('requires a valid certificate for the exact name', async () => {
    answer = file(KEY);
    for (const checked of [check('other'), check('expired'), check('agents', { ca: undefined })])
      await expect(checked).rejects.toThrow('certificate');
  });

  test('connects to public addresses only', async () => {
    const inside = checkDomain('localhost', KEY, { testHosts: new Map() });
    await expect(inside).rejects.toThrow('has no public address');
  });

  test.each([
    ...'127.0.0.1 127.1 2130706433 0x7f.0.0.1 017700000001 [::1] ::1 1.2.3 a.0x7f localhost example'.split(
      ' ',
    ),
    ...'example.org:443 user@example.org https://example.org example.org/path example.org?x'.split(' '),
    ...'-a.example.org a..example.org example.org. %31.example.org a\\b.org １２７.０.０.１'.split(' '),
    '',
    'ex ample.org',
    `${'a'.repeat(64)}.org`,
  ])('rejects the domain %j', (domain) => {
    expect(() => readDomain(domain)).toThrow();
  });

  test('accepts names in any case and script', () => {
    expect(readDomain('Agents.Example.ORG')).toBe(DOMAIN);
    expect(readDomain('bücher.example')).toBe('xn--bcher-kva.example');
  });
});

const service = useService({
  settings: { LIMIT_ETCHES_KEYPAIR: '100', LIMIT_ETCHES_VERIFIED: '250' },
  // The port is known only when the server listens. Each check reads the map.
  domainCheck: { ca, testHosts: { get: () => servers['agents'] } as never },
});

describe('tier and allowance', () => {
  const limits = async (agent: TestAgent) => (await service.get('/api/v1/me/limits', agent.key)).body;

  test('rise with a domain and fall without it', async () => {
    const agent = await service.registerAgent();
    service.clock.set('2026-06-01T12:00:00.000Z');
    await service.etch(agent);
    answer = file(agent.publicKey);
    expect((await limits(agent)).etches).toMatchObject({ per_day: 100, remaining: 99 });
    expect((await limits(agent)).account).toEqual({ kind: 'agent', assurance: 'keypair', verified: false });
    const claimed = await service.post('/api/v1/me/domain', { domain: 'AGENTS.example.org' }, agent.key);
    expect(claimed.body.agent).toMatchObject({ agent_domain: DOMAIN, assurance: 'verified', verified: true });
    expect((await limits(agent)).etches).toMatchObject({ per_day: 250, remaining: 249 });
    const dropped = await service.call('DELETE', '/api/v1/me/domain', undefined, { key: agent.key });
    expect(dropped.body.agent).toMatchObject({ agent_domain: null, assurance: 'keypair' });
    expect((await limits(agent)).etches).toMatchObject({ per_day: 100, remaining: 99 });
    service.clock.release();
  });

  test('a domain that lists a different key changes nothing', async () => {
    const agent = await service.registerAgent();
    answer = file(KEY);
    const refused = await service.post('/api/v1/me/domain', { domain: DOMAIN }, agent.key);
    expect(refused.status).toBe(400);
    expect((await limits(agent)).account.verified).toBe(false);
  });

  test('sends a host at most 10 requests a minute, over all accounts', async () => {
    let sent = 0;
    answer = (_request, response) => {
      sent++;
      response.writeHead(404).end();
    };
    const claim = async (domain: string) =>
      service.post('/api/v1/me/domain', { domain }, (await service.registerAgent()).key);
    for (let time = 0; time < 10; time++) expect((await claim('victim.example.org')).status).toBe(400);
    const before = sent;
    const refused = await claim('VICTIM.example.org');
    expect(refused.status).toBe(429);
    expect(refused.body.error.message).toContain('too many checks of this domain');
    expect(sent).toBe(before);
    expect((await claim('elsewhere.example.org')).status).toBe(400);
  });

  test('rise with an operator and fall without one', async () => {
    const [person, other] = [await service.signIn('ada'), await service.signIn('bob')];
    const agent = await service.registerAgent();
    const sign = (userId: string, by: AgentKeys = agent) =>
      signedBody('svc-operator:v1', service.at(0), by, userId);
    const link = (token: string, body: object) => service.post('/api/v1/me/operator', body, token);
    const first = sign(person.userId);
    expect((await link(agent.key, first)).status).toBe(403);
    expect((await link(other.token, first)).status).toBe(400);
    const linked = await link(person.token, first);
    expect(linked.status, linked.text).toBe(200);
    expect(linked.body.agent).toMatchObject({ operator_id: person.userId, assurance: 'verified' });
    expect((await limits(agent)).etches.per_day).toBe(250);
    expect((await link(other.token, sign(other.userId))).status).toBe(409);

    const loud = { public_key: agent.publicKey.toUpperCase() };
    const unlink = (key: string) => service.call('DELETE', '/api/v1/me/operator', loud, { key });
    expect((await unlink(other.token)).status).toBe(404);
    const unlinked = await unlink(person.token);
    expect(unlinked.body.agent).toMatchObject({ operator_id: null, assurance: 'keypair' });
    expect((await limits(agent)).etches.per_day).toBe(100);
    expect((await unlink(person.token)).status).toBe(404);
    expect((await link(person.token, first)).status).toBe(409);
    expect((await link(person.token, sign(person.userId, newAgentKeys()))).status).toBe(404);
  });
});

test('POST /agents/keys returns a new key for a recent signature with its tag, once, and keeps older keys', async () => {
  const agent = await service.registerAgent();
  const recover = (body: object) => service.post('/api/v1/agents/keys', body);
  const body = signedBody('svc-key:v1', service.at(0), agent);
  const answered = await recover(body);
  expect(answered.status, answered.text).toBe(201);
  expect(answered.body.key.scope).toBe('write');
  for (const key of [agent.key, answered.body.api_key])
    expect((await service.get('/api/v1/me', key)).body.user.id).toBe(agent.userId);
  expect((await recover(body)).status).toBe(409);
  expect((await recover(signedBody('svc-register:v1', service.at(0), agent))).status).toBe(400);
  expect((await recover(signedBody('svc-key:v1', service.at(-301_000), agent))).status).toBe(400);
  expect((await recover(signedBody('svc-key:v1', service.at(0)))).status).toBe(404);
});
