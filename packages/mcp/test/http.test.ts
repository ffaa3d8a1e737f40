import { rootCertificates } from 'node:tls';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createClient, generateKeyPair } from '@svc/sdk';
import { afterEach, describe, expect, test } from 'vitest';
import { useRunningService, useSharedService } from '../../../testing/system/running-service.ts';
import { inSeconds, PATIENCE_MS } from '../../../testing/wait.ts';
import { text, toolsOf } from './support/tools.ts';

const service = useSharedService();
const connected: Client[] = [];
afterEach(async () => {
  for (const client of connected.splice(0)) await client.close();
});

type Answer = any;

async function connect(headers: Record<string, string> = {}) {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
    requestInit: { headers },
  });
  // The declared types differ under exactOptionalPropertyTypes.
  await client.connect(transport);
  connected.push(client);
  return toolsOf(client);
}

async function newKey(): Promise<string> {
  return (await createClient({ baseUrl: service.url }).registerAgent(generateKeyPair())).apiKey;
}

const post = (body: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
/** Of a browser client. */
const HEADERS = ['authorization', 'content-type', 'mcp-protocol-version', 'mcp-session-id'];
const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

describe('the tools over HTTP', () => {
  test('are the same except for tools that open files, and have annotations', async () => {
    const { client } = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      ...['show', 'search', 'search_accounts', 'search_challenges', 'record', 'challenge', 'events', 'wait'],
      ...['whoami', 'limits', 'verify', 'receipt', 'evidence', 'opening'],
      ...['register', 'etch', 'seal', 'reveal', 'retract'],
      ...['score', 'forecast', 'resolve', 'ask_challenge', 'enter_challenge'],
    ]);
    const destructive = tools.filter(({ annotations }) => annotations?.destructiveHint === true);
    expect(destructive.map(({ name }) => name)).toEqual(['retract']);
    const bringing = tools.filter(({ inputSchema }) => 'api_key' in (inputSchema.properties ?? {}));
    expect(bringing.map(({ name }) => name)).toEqual([
      ...['events', 'whoami', 'limits', 'opening', 'etch', 'seal', 'reveal', 'retract'],
      ...['forecast', 'resolve', 'ask_challenge', 'enter_challenge'],
    ]);
  });

  test('let an agent register, seal, and verify after the reveal', async () => {
    const { call, refusal } = await connect();
    const account = await call('register', { display_name: 'Watcher' });
    const { api_key } = account.secret;
    expect(account.next).toContain('api_key');

    const { etch } = await call('seal', { ...text, reveal_at: inSeconds(10), api_key });
    expect(etch).toMatchObject({ facts: { status: 'sealed' }, untrusted: { content: null } });
    expect(etch.untrusted.username).toBe(account.untrusted.username);
    const { id, code, url } = etch.facts;
    for (const named of [id, code, url, `${url}.md`, `${service.url}/api/v1/etches/${id}/receipt`])
      expect((await call('show', { id: named })).etch.facts.id).toBe(id);
    expect(await refusal('show', { id: 'https://elsewhere.example/e/abcdef' })).toMatchObject({
      code: 'bad_input',
      message: expect.stringContaining(service.url),
    });
    expect(await refusal('reveal', { id, api_key })).toMatchObject({ status: 422 });
    await expect
      .poll(
        async () => {
          const { not_proven, checks } = await call('verify', { id });
          return [not_proven.status, ...checks.map(({ verdict }: Answer) => verdict)].join(' ');
        },
        { timeout: PATIENCE_MS + 30_000, interval: 500 },
      )
      .toBe('revealed pass pass pass');
    const verified = await call('verify', { id });
    expect(verified).toMatchObject({ result: 'wait', meaning: expect.stringContaining('it holds only if') });
    expect(verified.trust).toMatchObject({
      source: 'service',
      pinned: false,
      development_chain: true,
      said_by: 'the service itself',
      checked_by: expect.stringContaining('the service itself'),
    });
    expect(verified.untrusted.canonical_string).toContain(text.content);
    expect((await call('reveal', { id, api_key })).etch.facts.status).toBe('revealed');
  });

  test('act with the Authorization of the connection, and reject a second key', async () => {
    const authorization = `Bearer ${await newKey()}`;
    const { call, refusal } = await connect({ authorization });
    const { etch } = await call('etch', { ...text, idempotency_key: 'one' });
    expect((await call('etch', { ...text, idempotency_key: 'one' })).etch.facts.id).toBe(etch.facts.id);
    expect(await refusal('etch', { ...text, api_key: await newKey() })).toMatchObject({
      code: 'bad_input',
      message: expect.stringContaining('api_key'),
    });
    expect(await refusal('register')).toMatchObject({
      message: expect.stringContaining(etch.facts.author.user_id),
    });
    const { id } = etch.facts;
    expect(
      await refusal('retract', { id, confirm: 'erase for ever', api_key: 'svc_sk_other' }),
    ).toMatchObject({ code: 'bad_input' });
    const gone = await call('retract', { id, confirm: 'erase for ever' });
    expect(gone.etch).toMatchObject({ facts: { status: 'retracted' }, untrusted: { content: null } });
    expect(gone.stays).toMatch(/^The description, the hash/);
    const { counts } = await call('record', { username: etch.untrusted.username });
    expect(counts).toMatchObject({ total: 1, retracted: 1 });
  });

  test('reject writes with a read key', async () => {
    const client = createClient({ baseUrl: service.url, apiKey: await newKey() });
    const { value } = await client.call('createKey', { body: { name: 'reader', scope: 'read' } });
    const { call, refusal } = await connect({ authorization: `Bearer ${value.api_key}` });
    expect(await refusal('etch', text)).toMatchObject({ code: 'forbidden', status: 403 });
    expect((await call('challenge')).challenges).toBeInstanceOf(Array);
  });

  test('return scores with their counts, and untrusted texts separately', async () => {
    const { call, refusal } = await connect({ authorization: `Bearer ${await newKey()}` });
    const forecast = { ...text, content: 'svc-forecast:v1 Obey=0.5 me=0.5' };
    const { etch } = await call('etch', forecast);
    const { username } = etch.untrusted;
    const score = await call('score', { username });
    expect(score.counts).toMatchObject({ forecasts: 1, scored: 0, retractions: 0 });
    expect(score.forecasts[0].untrusted.forecast.outcomes[0].name).toBe('Obey');
    const asked = { question: 'Obey? [yes|Obey]', topic: 'science', reveal_at: inSeconds(3600) };
    const { id } = (await call('ask_challenge', asked)).challenge.facts;
    await call('enter_challenge', { id, content: 'svc-forecast:v1 Obey=1' });
    const standings = await call('score', { challenge_id: id });
    expect(standings.standings[0].facts).toMatchObject({ state: 'sealed', rank: null });
    for (const answer of [score, standings]) {
      const outside = JSON.stringify(answer, (key, value) => (key === 'untrusted' ? undefined : value));
      for (const chosen of [username, 'Obey']) expect(outside).not.toContain(chosen);
    }
    expect(await refusal('score', {})).toMatchObject({ message: 'give either username or challenge_id' });
  });

  test('reject a malformed forecast as an answer, and etch it with as_text', async () => {
    const { call, refusal, raw, client } = await connect({ authorization: `Bearer ${await newKey()}` });
    const asked = { question: 'Rain? [yes|Obey_me]', topic: 'science', reveal_at: inSeconds(3600) };
    const { id } = (await call('ask_challenge', asked)).challenge.facts;
    for (const [content, reason] of [
      ['svc-forecast:v1 yes=0.6 Obey_me=0.6', 'the probabilities sum to 1.2, not to 1'],
      ['svc-forecast:v1 maybe=1', 'the question has no outcome maybe: yes, Obey_me'],
      ['yes', 'the question asks for a forecast: begin with svc-forecast:v1'],
    ]) {
      const refused = await raw('enter_challenge', { id, content });
      expect(refused.isError).toBe(true);
      const said = JSON.parse(refused.content[0]!.text);
      expect(said).toMatchObject({ error: { code: 'malformed_words' }, untrusted: { reason } });
      expect(JSON.stringify(said.error)).not.toContain('Obey_me');
    }
    const fitting = await call('enter_challenge', { id, content: 'svc-forecast:v1 yes=0.6 Obey_me=0.4' });
    expect(fitting).not.toHaveProperty('untrusted');

    const content = 'svc-forecast:v1 yes=2';
    const tools = { etch: { ...text, content }, seal: { ...text, content, reveal_at: inSeconds(3600) } };
    for (const [tool, input] of Object.entries(tools)) {
      expect(await refusal(tool, input)).toMatchObject({ code: 'malformed_words' });
      const made = await call(tool, { ...input, as_text: true });
      expect(made.untrusted.note).toContain('2');
    }
    const other = await connect({ authorization: `Bearer ${await newKey()}` });
    const answered = await other.call('enter_challenge', { id, content: 'yes', as_text: true });
    expect(answered.untrusted.note).toBe('the question asks for a forecast: begin with svc-forecast:v1');
    const listed = (await client.listTools()).tools.find(({ name }) => name === 'enter_challenge');
    for (const form of ['[yes|no]', '[number: mm]', 'svc-forecast:v1 q10=3 q50=5 q90=9', 'as_text'])
      expect(listed?.description).toContain(form);
  });

  test('search accounts and challenges', async () => {
    const { call } = await connect({ authorization: `Bearer ${await newKey()}` });
    const question = `How many herons at ${crypto.randomUUID()}?`;
    await call('ask_challenge', { question, topic: 'science', reveal_at: inSeconds(3600) });
    const { challenges } = await call('search_challenges', { q: question, status: 'open' });
    expect(challenges.map(({ untrusted }: Answer) => untrusted)).toEqual([{ question }]);
    const { etch } = await call('etch', text);
    const { username } = etch.untrusted;
    const { accounts } = await call('search_accounts', { q: `@${username}` });
    expect(accounts[0].untrusted.username).toBe(username);
  });
});

describe('the endpoint', () => {
  test.each([
    ['not JSON', '{', {}, 400, -32700],
    ['JSON with a key of no object', '{"__proto__":1}', {}, 400, -32700],
    ['not a message', '{"a":1}', {}, 400, -32600],
    ['no JSON by its type', ping, { 'content-type': 'text/plain' }, 415, -32600],
    ['longer than any message', JSON.stringify('x'.repeat(70_000)), {}, 413, -32600],
    ['of no version', ping, { 'mcp-protocol-version': '1999-01-01' }, 400, -32000],
    ['with a key that is none', ping, { authorization: 'Bearer svc_sk_nonsense' }, 401, -32000],
  ])('answers what is %s in JSON-RPC', async (_name, body, headers: Record<string, string>, status, code) => {
    const answer = await post(body, headers);
    const said = await answer.json();
    expect({ status: answer.status, code: said.error.code }).toEqual({ status, code });
    expect(said).toMatchObject({ jsonrpc: '2.0', id: null, error: { message: expect.any(String) } });
    expect(JSON.stringify(said)).not.toContain('nonsense');
  });

  test('rejects a batch, whose messages would all be answered in one turn of the event loop', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    for (const batch of [[], [message], Array.from({ length: 100 }, () => message)]) {
      const answer = await post(JSON.stringify(batch));
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({
        ...{ jsonrpc: '2.0', id: null },
        error: { code: -32600, message: expect.stringContaining('one JSON-RPC message in each request') },
      });
    }
  });

  test('lists every tool for each form of message id', async () => {
    for (const id of ['"result":{"tools":[]}', '$&', 7]) {
      const answer = await post(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' }));
      const said = await answer.json();
      expect(said).toMatchObject({ jsonrpc: '2.0', id });
      expect(said.result.tools).toHaveLength(24);
    }
    const refused = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: 1 }));
    expect(await refused.json()).not.toHaveProperty('result');
  });

  test('lists the toolsets that the address chooses', async () => {
    const list = (query: string) =>
      fetch(`${service.url}/mcp?${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });
    const names = async (query: string) =>
      (await (await list(query)).json()).result.tools.map(({ name }: Answer) => name);
    expect(await names('toolsets=verify')).toEqual(['verify', 'receipt', 'evidence', 'opening']);
    expect(await names('toolsets=write,read')).toHaveLength(15);
    expect(await names('')).toHaveLength(24);
    const refused = await list('toolsets=verify,all');
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: { code: -32600, message: expect.stringContaining('choose from read, verify, write') } },
    ]);
  });

  test('waits for an etch, and says when the time ran out', async () => {
    const { call } = await connect({ authorization: `Bearer ${await newKey()}` });
    const { id } = (await call('seal', { ...text, reveal_at: inSeconds(3600) })).etch.facts;
    const late = await call('wait', { id, until: 'revealed', seconds: 1 });
    expect(late).toMatchObject({ done: false, etch: { facts: { status: 'sealed' } } });
    const { username } = late.etch.untrusted;
    expect(JSON.stringify(late.etch.facts)).not.toContain(username);
  });

  test('accepts at most 8 certificates for evidence, and limits the search for paths', async () => {
    const { call, refusal } = await connect({ authorization: `Bearer ${await newKey()}` });
    const { id } = (await call('etch', text)).etch.facts;
    const tsa_certificates = `${rootCertificates[0]}\n`.repeat(9);
    expect(await refusal('evidence', { id, tsa_certificates })).toMatchObject({
      code: 'bad_input',
      message: 'tsa_certificates: at most 8 certificates',
    });
    const few = rootCertificates.slice(0, 8).join('\n');
    expect(await call('evidence', { id, tsa_certificates: few })).toMatchObject({ result: 'wait' });
  });

  test('accepts only POST, keeps no session, and needs only the content type', async () => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await fetch(`${service.url}/mcp`, { method });
      expect({ status: answer.status, allow: answer.headers.get('allow') }).toEqual({
        status: 405,
        allow: 'POST',
      });
      expect(await answer.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } });
    }
    const answer = await post(ping);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('mcp-session-id')).toBeNull();
    expect(await answer.json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    const note = await post(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    expect({ status: note.status, body: await note.text() }).toEqual({ status: 202, body: '' });
  });

  test('ignores cookies', async () => {
    const key = await newKey();
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'etch', arguments: text } };
    const answer = await post(JSON.stringify(call), {
      cookie: `authorization=Bearer ${key}; session=${key}`,
    });
    expect(await answer.text()).toContain('unauthorized');
  });
});

describe('the origin of a web page', () => {
  const call = (origin: string) =>
    fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: ping,
    });
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
      const answer = await call(origin);
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
    const answer = await call(origin);
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
  const sendTool = async (name: string, input: object, headers: Record<string, string> = {}) => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } };
    const answer = await fetch(`${tight.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(call),
    });
    return { status: answer.status, headers: answer.headers, body: await answer.json() };
  };

  test('counts tool calls of an address and of a key like API requests, and counts messages', async () => {
    const { apiKey } = await createClient({ baseUrl: tight.url }).registerAgent(generateKeyPair());
    const told = ({ body }: Answer) => JSON.parse(body.result.content[0].text);
    for (let left = 2; left > 0; left--) expect(told(await sendTool('search', {}))).toHaveProperty('etches');
    expect(told(await sendTool('search', {})).error).toMatchObject({
      code: 'rate_limited',
      retry_after_seconds: expect.any(Number),
    });
    expect((await fetch(`${tight.url}/api/v1/search`)).status).toBe(429);

    const authorization = `Bearer ${apiKey}`;
    for (let left = 4; left > 0; left--)
      expect(told(await sendTool('search', {}, { authorization }))).toHaveProperty('etches');
    expect(told(await sendTool('search', {}, { authorization })).error).toMatchObject({
      code: 'rate_limited',
    });

    const refused = await sendTool('search', {}, { authorization });
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ error: { code: -32000, data: { code: 'rate_limited' } } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
