import { rootCertificates } from 'node:tls';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createClient, generateKeyPair } from '@svc/sdk';
import { afterEach, describe, expect, test } from 'vitest';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { inSeconds, PATIENCE_MS } from '../../../testing/wait.ts';
import { clientOf, text, toolsOf, withoutUntrusted } from './support/tools.ts';

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

const newKey = async () =>
  (await createClient({ baseUrl: service.url }).registerAgent(generateKeyPair())).apiKey;
const connectNew = async () => connect({ authorization: `Bearer ${await newKey()}` });

describe('the tools over HTTP', () => {
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
    const elsewhere = await refusal('show', { id: 'https://elsewhere.example/e/abcdef' });
    expect(elsewhere).toMatchObject({ code: 'bad_input', message: expect.stringContaining(service.url) });
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

  test('audit a record by the index of accounts only', async () => {
    const { call, refusal } = await connectNew();
    const { etch } = await call('etch', text);
    const { username } = etch.untrusted;
    expect(await refusal('audit', { username })).toMatchObject({
      code: 'bad_input',
      message: 'over HTTP, audit requires index: true',
    });
    const audit = () => call('audit', { username, index: true });
    await expect
      .poll(async () => (await audit()).counts.leaves, { timeout: PATIENCE_MS, interval: 500 })
      .toBe(1);
    const audited = await audit();
    expect(audited).toMatchObject({ result: 'wait', faults: [], unread: [], untrusted: { username } });
    expect(audited.meaning).toContain('nobody whom you named has recomputed or dated the index');
    expect(audited.trust.checked_by).toContain('the service itself');
    expect(withoutUntrusted(audited.index)).toContain('entries');
  });

  test('report an index that is being rebuilt, and when to audit again', async () => {
    const { call } = await connectNew();
    const { username } = (await call('etch', text)).etch.untrusted;
    const json = { error: { code: 'service_unavailable', message: 'the index is being rebuilt' } };
    const rebuilding = await clientOf({
      baseUrl: service.url,
      fetch: (url, init) =>
        (url as string).includes('/log/index/')
          ? Promise.resolve(Response.json(json, { status: 503, headers: { 'retry-after': '10' } }))
          : fetch(url, init),
    });
    connected.push(rebuilding);
    expect(await (await toolsOf(rebuilding)).call('audit', { username, index: true })).toMatchObject({
      result: 'wait',
      faults: [],
      meaning: expect.stringContaining('nothing that was read contradicts the record'),
      unread: [expect.stringMatching(/the index is being rebuilt.*: try again in 10 seconds$/)],
    });
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
    const erase = { id: etch.facts.id, confirm: 'erase for ever' };
    expect(await refusal('retract', { ...erase, api_key: 'svc_sk_other' })).toMatchObject({
      code: 'bad_input',
    });
    expect((await call('retract', erase)).etch.facts.status).toBe('retracted');
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
    const { call, refusal } = await connectNew();
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
    for (const answer of [score, standings])
      for (const chosen of [username, 'Obey']) expect(withoutUntrusted(answer)).not.toContain(chosen);
    expect(await refusal('score', {})).toMatchObject({ message: 'give either username or challenge_id' });
  });

  test('reject a malformed forecast as an answer, and etch it with as_text', async () => {
    const { call, refusal, raw, client } = await connectNew();
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
    const answered = await (
      await connectNew()
    ).call('enter_challenge', { id, content: 'yes', as_text: true });
    expect(answered.untrusted.note).toBe('the question asks for a forecast: begin with svc-forecast:v1');
    const listed = (await client.listTools()).tools.find(({ name }) => name === 'enter_challenge');
    for (const form of ['[yes|no]', '[number: mm]', 'svc-forecast:v1 q10=3 q50=5 q90=9', 'as_text'])
      expect(listed?.description).toContain(form);
  });

  test('search accounts and challenges, and wait for an etch until the time runs out', async () => {
    const { call } = await connectNew();
    const question = `How many herons at ${crypto.randomUUID()}?`;
    await call('ask_challenge', { question, topic: 'science', reveal_at: inSeconds(3600) });
    const { challenges } = await call('search_challenges', { q: question, status: 'open' });
    expect(challenges.map(({ untrusted }: Answer) => untrusted)).toEqual([{ question }]);
    const { etch } = await call('etch', text);
    const { username } = etch.untrusted;
    const { accounts } = await call('search_accounts', { q: `@${username}` });
    expect(accounts[0].untrusted.username).toBe(username);
    const { id } = (await call('seal', { ...text, reveal_at: inSeconds(3600) })).etch.facts;
    const late = await call('wait', { id, until: 'revealed', seconds: 1 });
    expect(late).toMatchObject({ done: false, etch: { facts: { status: 'sealed' } } });
    expect(withoutUntrusted(late.etch)).not.toContain(username);
  });

  test('accepts at most 8 certificates for evidence, and limits the search for paths', async () => {
    const { call, refusal } = await connectNew();
    const { id } = (await call('etch', text)).etch.facts;
    const tsa_certificates = `${rootCertificates[0]}\n`.repeat(9);
    expect(await refusal('evidence', { id, tsa_certificates })).toMatchObject({
      code: 'bad_input',
      message: 'tsa_certificates: at most 8 certificates',
    });
    const few = rootCertificates.slice(0, 8).join('\n');
    expect(await call('evidence', { id, tsa_certificates: few })).toMatchObject({ result: 'wait' });
  });
});
