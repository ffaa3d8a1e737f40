import { createClient, generateKeyPair } from '@svc/sdk';
import { describe, expect, test } from 'vitest';
import { useRunningService, useSharedService } from '../../../testing/system/running-service.ts';
import { callOf, post, text } from './support/tools.ts';

const service = useSharedService();
const newKey = async (url: string) =>
  (await createClient({ baseUrl: url }).registerAgent(generateKeyPair())).apiKey;
const send = (body: unknown, headers?: Record<string, string>, query = '') =>
  post(`${service.url}/mcp${query}`, body, headers);
const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const ping = { ...listing, method: 'ping' };

describe('the endpoint', () => {
  const ONE = 'one JSON-RPC message in each request';
  test.each<[string, unknown, Record<string, string>, status: number, code: number, message?: string]>([
    ['not JSON', '{', {}, 400, -32700],
    ['JSON with a key of no object', '{"__proto__":1}', {}, 400, -32700],
    ['not a message', { a: 1 }, {}, 400, -32600],
    ['no JSON by its type', ping, { 'content-type': 'text/plain' }, 415, -32600],
    ['longer than any message', JSON.stringify('x'.repeat(70_000)), {}, 413, -32600],
    ['of no version', ping, { 'mcp-protocol-version': '1999-01-01' }, 400, -32000],
    ['with a key that is none', ping, { authorization: 'Bearer svc_sk_nonsense' }, 401, -32000],
    // All messages of a batch would be answered in one turn of the event loop.
    ['an empty batch', [], {}, 400, -32600, ONE],
    ['a batch of one', [listing], {}, 400, -32600, ONE],
    ['a batch of many', Array.from({ length: 100 }, () => listing), {}, 400, -32600, ONE],
  ])('answers what is %s in JSON-RPC', async (_, body, headers, status, code, message = '') => {
    const answer = await send(body, headers);
    const said = await answer.json();
    expect({ status: answer.status, code: said.error.code }).toEqual({ status, code });
    expect(said).toMatchObject({ jsonrpc: '2.0', id: null });
    expect(said.error.message).toContain(message);
    expect(JSON.stringify(said)).not.toContain('nonsense');
  });

  test('lists every tool for each form of message id', async () => {
    for (const id of ['"result":{"tools":[]}', '$&', 7]) {
      const said = await (await send({ ...listing, id })).json();
      expect(said).toMatchObject({ jsonrpc: '2.0', id });
      expect(said.result.tools).toHaveLength(25);
    }
    expect(await (await send({ ...listing, params: 1 })).json()).not.toHaveProperty('result');
  });

  test('lists the toolsets that the address chooses', async () => {
    const list = (query: string) => send(listing, {}, `?${query}`);
    const names = async (query: string) =>
      (await (await list(query)).json()).result.tools.map(({ name }: { name: string }) => name);
    expect(await names('toolsets=verify')).toEqual(['verify', 'receipt', 'evidence', 'audit', 'opening']);
    expect(await names('toolsets=write,read')).toHaveLength(15);
    expect(await names('')).toHaveLength(25);
    const refused = await list('toolsets=verify,all');
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      error: { code: -32600, message: expect.stringContaining('choose from read, verify, write') },
    });
  });

  test('accepts only POST, keeps no session, and needs only the content type', async () => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await fetch(`${service.url}/mcp`, { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
      expect(await answer.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } });
    }
    const answer = await send(ping);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('mcp-session-id')).toBeNull();
    expect(await answer.json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    const note = await send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect({ status: note.status, body: await note.text() }).toEqual({ status: 202, body: '' });
  });

  test('ignores cookies', async () => {
    const key = await newKey(service.url);
    const answer = await send(callOf('etch', text), {
      cookie: `authorization=Bearer ${key}; session=${key}`,
    });
    expect(await answer.text()).toContain('unauthorized');
  });
});

describe('the origin of a web page', () => {
  const HEADERS = ['authorization', 'content-type', 'mcp-protocol-version', 'mcp-session-id'];
  const preflight = (origin: string) =>
    fetch(`${service.url}/mcp`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': HEADERS.join(', '),
      },
    });

  test.each(['own', 'http://localhost:6274', 'http://127.0.0.1:1', 'http://[::1]:9', 'https://app.example'])(
    'allows pages of the origin %s',
    async (name) => {
      const origin = name === 'own' ? service.url : name;
      const allowed = await preflight(origin);
      expect(allowed.headers.get('access-control-allow-origin')).toBe(origin);
      expect(allowed.headers.get('access-control-allow-credentials')).toBeNull();
      expect(allowed.headers.get('access-control-allow-methods')).toContain('POST');
      for (const name of HEADERS)
        expect(allowed.headers.get('access-control-allow-headers')?.toLowerCase()).toContain(name);
      const answer = await send(ping, { origin });
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
      for (const name of ['Mcp-Session-Id', 'MCP-Protocol-Version', 'WWW-Authenticate'])
        expect(answer.headers.get('access-control-expose-headers')).toContain(name);
      expect(answer.headers.get('vary')).toContain('Origin');
    },
  );

  test.each([
    'https://elsewhere.example',
    'http://app.example',
    'https://app.example.elsewhere.example',
    'http://localhost.elsewhere.example',
    'null',
    'not an origin',
  ])('rejects pages of the origin %s', async (origin) => {
    const refused = await preflight(origin);
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    const answer = await send(ping, { origin });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    expect(await answer.json()).toMatchObject({
      jsonrpc: '2.0',
      error: { message: expect.stringContaining('MCP_ORIGINS'), data: { code: 'forbidden' } },
    });
  });
});

describe('the allowance', () => {
  const tight = useRunningService({
    TEST_LIMIT_MCP_PER_MINUTE: '8',
    LIMIT_KEY_PER_MINUTE: '4',
    LIMIT_ANON_PER_MINUTE: '2',
  });
  const search = async (headers: Record<string, string> = {}) => {
    const answer = await post(`${tight.url}/mcp`, callOf('search'), headers);
    return { status: answer.status, headers: answer.headers, body: await answer.json() };
  };

  test('counts tool calls of an address and of a key like API requests, and counts messages', async () => {
    const authorization = `Bearer ${await newKey(tight.url)}`;
    for (const [headers, calls] of [
      [{}, 2],
      [{ authorization }, 4],
    ] as const) {
      const searched = async () => JSON.parse((await search(headers)).body.result.content[0].text);
      for (let left = calls; left > 0; left--) expect(await searched()).toHaveProperty('etches');
      const { error } = await searched();
      expect(error).toMatchObject({ code: 'rate_limited', retry_after_seconds: expect.any(Number) });
      if (calls === 2) expect((await fetch(`${tight.url}/api/v1/search`)).status).toBe(429);
    }

    const refused = await search({ authorization });
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ error: { code: -32000, data: { code: 'rate_limited' } } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
