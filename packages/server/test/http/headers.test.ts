import { fastify, type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { readForwardedFor } from '../../src/http/app.ts';
import { useService } from '../../../../testing/service/service.ts';

const service = useService();
const ORIGIN = { origin: 'https://elsewhere.example' };

describe('requests from other origins', () => {
  test('may call the API without credentials and read the headers they need', async () => {
    const answer = await service.get('/api/v1/nowhere', { headers: ORIGIN });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    const exposed = answer.headers.get('access-control-expose-headers')!.toLowerCase();
    const headers =
      'etag idempotent-replay retry-after x-ratelimit-limit x-ratelimit-remaining x-ratelimit-reset';
    for (const name of `${headers} x-request-id`.split(' ')) expect(exposed).toContain(name);
  });

  test.each(['POST', 'PATCH', 'DELETE'])('get an answer to a preflight for a %s', async (method) => {
    const asked = 'authorization, idempotency-key, content-type';
    const request = { 'access-control-request-method': method, 'access-control-request-headers': asked };
    const headers = { ...ORIGIN, ...request };
    const answer = await service.call('OPTIONS', '/api/v1/me/keys', undefined, { headers });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-methods')).toContain(method);
    expect(answer.headers.get('access-control-allow-headers')).toContain('idempotency-key');
  });
});

describe('caching', () => {
  test('sends ETag and no-cache for etches, receipts, verifications and records', async () => {
    const agent = await service.registerAgent();
    const { id } = await service.etch(agent);
    const paths = `etches/${id} etches/${id}/receipt verify/${id} users/${agent.username}/etches`.split(' ');
    for (const path of paths) {
      const { headers } = await service.get(`/api/v1/${path}`);
      expect(headers.get('cache-control'), path).toBe('no-cache');
    }
    const record = await service.get(`/api/v1/users/${agent.username}/record`);
    expect(record.headers.get('cache-control')).toBe('no-store');
  });

  test('answers 304 for an unchanged etch, and not for a retracted one', async () => {
    const agent = await service.registerAgent();
    const { id } = await service.etch(agent);
    const first = await service.get(`/api/v1/etches/${id}`);
    const etag = first.headers.get('etag')!;
    expect(etag).toMatch(/^"[\w-]+"$/);
    const known = { headers: { 'if-none-match': etag } };
    const again = await service.get(`/api/v1/etches/${id}`, known);
    expect([again.status, again.text]).toEqual([304, '']);
    await service.retract(agent, id);
    const changed = await service.get(`/api/v1/etches/${id}`, known);
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(etag);
  });
});

describe('compression', () => {
  const ask = (path: string, coding: string, headers: Record<string, string> = {}, key?: string) =>
    service.get(path, { key, headers: { 'accept-encoding': coding, ...headers } });

  test('compresses public lists as the client accepts; their tags still match', async () => {
    const agent = await service.registerAgent();
    for (let count = 0; count < 4; count++) await service.etch(agent);
    const path = `/api/v1/users/${agent.username}/etches`;
    const plain = await ask(path, 'identity');
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(plain.headers.get('vary')).toContain('Accept-Encoding');
    const packed = await ask(path, 'gzip');
    expect([packed.headers.get('content-encoding'), packed.text]).toEqual(['gzip', plain.text]);
    expect(packed.headers.get('etag')).toBe(`W/${plain.headers.get('etag')!}`);
    expect(Number(packed.headers.get('content-length'))).toBeLessThan(plain.text.length / 2);
    for (const { headers } of [packed, plain]) {
      const again = await ask(path, 'gzip', { 'if-none-match': headers.get('etag')! });
      expect([again.status, again.headers.get('content-encoding')]).toEqual([304, null]);
      expect(again.headers.get('vary')).toContain('Accept-Encoding');
    }
    for (const [accepted, coding, length] of [
      ['gzip, deflate, br', 'br'],
      ['br;q=0, gzip;q=0.5', 'gzip', packed.headers.get('content-length')],
      ['gzip;q=0', null],
      ['deflate', null],
    ] as const) {
      const head = await service.call('HEAD', path, undefined, { headers: { 'accept-encoding': accepted } });
      expect(head.headers.get('content-encoding'), accepted).toBe(coding);
      if (length !== undefined) expect(head.headers.get('content-length')).toBe(length);
    }
  });

  test('leaves short answers, private pages and answers to clients with credentials uncompressed', async () => {
    const agent = await service.registerAgent();
    const { id } = await service.etch(agent);
    const coding = async (path: string, key?: string) =>
      (await ask(path, 'gzip', {}, key)).headers.get('content-encoding');
    for (const path of ['/', '/llms.txt', '/llms-full.txt', '/api/v1/openapi.json'])
      expect(await coding(path), path).toBe('gzip');
    for (const path of ['/healthz', `/api/v1/etches/${id}`]) expect(await coding(path), path).toBeNull();
    for (const path of ['/api/v1/openapi.json', '/api/v1/me/limits'])
      expect(await coding(path, agent.key), path).toBeNull();
  });
});

describe('addresses behind proxies', () => {
  const direct = useService({ settings: { LIMIT_ANON_PER_MINUTE: '2' } });
  const proxied = useService({ settings: { LIMIT_ANON_PER_MINUTE: '2', TRUST_PROXY: 'loopback' } });
  const ask = async (on: typeof service, forwarded: string) =>
    (await on.get('/api/v1/challenges', { headers: { 'x-forwarded-for': forwarded } })).status;

  test.each([
    ['trusts X-Forwarded-For from the configured ranges', proxied, '113.1 113.2 113.3 113.1', '113.1'],
    ['trusts X-Forwarded-For from no other address', direct, '113.1 113.2', '113.3'],
  ])('%s', async (_name, on, allowed, refused) => {
    for (const host of allowed.split(' ')) expect(await ask(on, `203.0.${host}`)).toBe(200);
    expect(await ask(on, `203.0.${refused}`)).toBe(429);
  });

  test.each([
    ['an IPv4 address', '203.0.113.11:5678', '203.0.113.12:5678', '203.0.113.11:9'],
    ['an IPv6 address', '[2001:db8:2:1::1]:123', '[2001:db8:2:2::1]:123', '[2001:db8:2:1::7]'],
    ['a list', 'x, 203.0.113.21:1 , 127.0.0.1:2', 'x, 203.0.113.22:1,127.0.0.1', '203.0.113.21'],
  ])('count without their ports: %s', async (_name, one, other, again) => {
    expect(await Promise.all([ask(proxied, one), ask(proxied, other)])).toEqual([200, 200]);
    expect([await ask(proxied, again), await ask(proxied, one)]).toEqual([200, 429]);
    expect(await ask(proxied, other)).toBe(200);
  });

  test('counts by the socket’s address, with one warning, if the header is invalid', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line).msg) });
    const app = fastify({ loggerInstance: log, trustProxy: ['loopback'] });
    readForwardedFor(app as unknown as FastifyInstance);
    app.get('/', async (request) => request.ip);
    for (const [forwarded, counted] of [
      ['unknown', '127.0.0.1'],
      ['203.0.113.31, nonsense:1:2', '127.0.0.1'],
      ['203.0.113.31:80', '203.0.113.31'],
    ] as const)
      expect((await app.inject({ url: '/', headers: { 'x-forwarded-for': forwarded } })).body).toBe(counted);
    expect(lines).toEqual([expect.stringMatching(/^TRUST_PROXY: X-Forwarded-For names no IP address/)]);
  });

  test('count by /64 when they are IPv6', async () => {
    for (const end of [1, 2]) expect(await ask(proxied, `2001:db8:1:1::${end}`)).toBe(200);
    expect(await ask(proxied, '2001:db8:1:1::3')).toBe(429);
  });
});
