import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApiError, ConnectionError, createClient, RetractedError } from '@svc/sdk';
import { etchAnswer, goneAnswer, madeAnswer } from '../../../testing/clients/example-answers.ts';
import { breakOff, json, refuse, silence, startFaultServer } from '../../../testing/clients/fault-server.ts';
import type { FaultServer } from '../../../testing/clients/fault-server.ts';

let server: FaultServer;
beforeEach(async () => {
  server = await startFaultServer();
});
afterEach(() => server.close());

const BUSY = refuse(503, 'service_unavailable', { 'retry-after': '0' });
const LIMITED = refuse(429, 'rate_limited', { 'retry-after': '0' });
const keys = () => server.seen.map(({ headers }) => headers['idempotency-key']);
const UNEXPECTED = { code: 'unexpected', status: 201 };
const key = 'svc_sk_test';
const client = (retry = {}, more = {}) => createClient({ baseUrl: server.url, apiKey: key, retry, ...more });
const body = { content: 'Rain.', description: 'Weather', category_id: 'personal', mode: 'instant' } as const;
const failure = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.unreachable('it succeeded'),
    (error: unknown) => error,
  );

describe('a creating call', () => {
  test('carries one Idempotency-Key and one body through broken connections, 503 and 429', async () => {
    server.fates = [breakOff, BUSY, LIMITED, json(201, etchAnswer, { 'idempotent-replay': 'true' })];
    const { etch, replayed } = await client().etch(body);
    expect(etch).toEqual(etchAnswer.etch);
    expect(replayed).toBe(true);
    expect(server.seen).toHaveLength(4);
    expect(keys()[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(keys()).size).toBe(1);
    expect(new Set(server.seen.map((request) => request.body)).size).toBe(1);
    expect(server.seen[0]!.headers.authorization).toBe(`Bearer ${key}`);
  });

  test('whose etch is retracted fails with the tombstone', async () => {
    const gone = goneAnswer(body);
    server.fates = [json(201, gone, { 'idempotent-replay': 'true' })];
    const error = await failure(client().etch(body, { idempotencyKey: 'mine' }));
    expect(error).toBeInstanceOf(RetractedError);
    expect(error).toMatchObject({ etch: { id: gone.etch.id }, idempotencyKey: 'mine' });
  });

  test.each([
    ['another last day', (text: string) => text.replace(/\d{4}-\d\d-\d\d/, '2099-01-01')],
    ['another hash', (text: string) => text.replace(etchAnswer.etch.hash, 'f'.repeat(64))],
    ['another mode', (text: string) => text.replace(/\|instant\|-/, '|delayed|2027-01-01T00:00:00.000Z')],
    ['another topic', (text: string) => text.replace('|personal|', '|science|')],
    ['another description', (text: string) => text.replace(/[0-9a-f]{64}(?=\|personal)/, '0'.repeat(64))],
    ['another content', () => madeAnswer({ ...body, content: 'Snow.' }).promise.text],
    ['no form', () => 'svc-promise:v1|'],
  ])('rejects a promise of %s', async (_, change) => {
    const { promise } = etchAnswer;
    const text = change(promise.text);
    expect(text).not.toBe(promise.text);
    server.fates = [json(201, { ...etchAnswer, promise: { ...promise, text } })];
    expect(await failure(client().etch(body)), text).toMatchObject(UNEXPECTED);
  });

  test.each([null, undefined])('rejects an answer whose promise is %o', async (promise) => {
    server.fates = [json(201, { ...etchAnswer, promise })];
    expect(await failure(client().etch(body))).toMatchObject(UNEXPECTED);
  });

  test('has a new key each time, or the given one', async () => {
    server.fates = [json(201, etchAnswer)];
    await client().etch(body);
    await client().etch(body);
    await client().etch(body, { idempotencyKey: 'monday' });
    const [first, second, third] = keys();
    expect(first).not.toBe(second);
    expect(third).toBe('monday');
  });

  test('whose answer is lost reports its key for a retry', async () => {
    for (const fate of [breakOff, BUSY]) {
      server.fates = [fate];
      const error = await failure(client({ attempts: 1 }).etch(body));
      const { idempotencyKey } = error as ConnectionError | ApiError;
      expect(idempotencyKey).toMatch(/^[0-9a-f]{32}$/);
      expect(keys().at(-1)).toBe(idempotencyKey);
      server.fates = [json(201, etchAnswer)];
      await client().etch(body, { idempotencyKey: idempotencyKey! });
      expect(keys().at(-1)).toBe(idempotencyKey);
    }
    server.fates = [breakOff];
    expect(await failure(client({ attempts: 1 }).me())).toMatchObject({ idempotencyKey: null });
  });
});

describe('bounds', () => {
  test('limit the number of attempts', async () => {
    server.fates = [BUSY];
    const error = await failure(client({ attempts: 3 }).etch(body));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 503, code: 'service_unavailable', retryAfter: 0 });
    expect(server.seen).toHaveLength(3);
  });

  test('fail at once on a Retry-After beyond the limit', async () => {
    server.fates = [refuse(429, 'rate_limited', { 'retry-after': '864' })];
    const error = await failure(client().etch(body));
    expect(error).toMatchObject({ status: 429, code: 'rate_limited', retryAfter: 864 });
    expect(server.seen).toHaveLength(1);
  });

  test.each([
    [new Date(Date.now() + 3_600_000).toUTCString(), 3600],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['soon', null],
  ])('read the Retry-After %j', async (header, seconds) => {
    server.fates = [refuse(429, 'rate_limited', { 'retry-after': header })];
    const { retryAfter } = (await failure(client({ attempts: 1 }).etch(body))) as ApiError;
    if (seconds === 3600) expect(retryAfter).toBeGreaterThan(3000);
    if (seconds === 3600) expect(retryAfter).toBeLessThanOrEqual(3600);
    else expect(retryAfter).toBe(seconds);
    expect(server.seen).toHaveLength(1);
  });

  test('end a wait after its time limit, even if the service does not answer', async () => {
    server.fates = [silence];
    for (const wait of ['waitForAnchored', 'waitForRevealed'] as const) {
      const error = await failure(client()[wait](etchAnswer.etch.id, { timeoutMs: 3_000 }));
      expect(error).toMatchObject({ name: 'WaitError', reason: 'timeout' });
    }
    expect(server.seen).toHaveLength(2);
    const abort = new AbortController();
    const reason = new Error('enough');
    const { signal } = abort;
    const failed = failure(client().waitForAnchored(etchAnswer.etch.id, { timeoutMs: 60_000, signal }));
    await expect.poll(() => server.seen.length, { interval: 5 }).toBe(3);
    abort.abort(reason);
    expect(await failed).toBe(reason);
  });

  test('end a list that leads back to the same page', async () => {
    const page = { has_more: true, next_cursor: 'same' };
    const counts = { total: 0, active: 0, revealed: 0, retracted: 0, sealed_pending_reveal: 0 };
    server.fates = [json(200, { user: { username: 'ada' }, etches: [], counts, page })];
    const read = async () => {
      for await (const _ of client().record('ada').pages());
    };
    expect(await failure(read())).toMatchObject({ code: 'unexpected' });
    expect(server.seen).toHaveLength(2);
  });

  test('do not retry a rejected request', async () => {
    const details = [{ path: 'content', message: 'must be shorter' }];
    const refused = { error: { code: 'bad_request', message: 'No.', details } };
    server.fates = [json(400, refused, { 'x-request-id': 'r1' })];
    const error = await failure(client().etch(body));
    expect(error).toMatchObject({ status: 400, message: 'No.', details, retryAfter: null, requestId: 'r1' });
    expect(server.seen).toHaveLength(1);
  });

  test('throw ConnectionError after the time limit of an attempt', async () => {
    server.fates = [silence];
    const impatient = client({ attempts: 1 }, { timeoutMs: 50 });
    const error = await failure(impatient.etch(body));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ mayHaveHappened: true });
    // Reading changes nothing.
    expect(await failure(impatient.me())).toMatchObject({ name: 'ConnectionError', mayHaveHappened: false });
  });

  test('say after a lost answer and a 429 that the request may have been carried out', async () => {
    server.fates = [breakOff, LIMITED];
    const error = await failure(client({ attempts: 2 }).etch(body));
    expect(error).toMatchObject({ name: 'ConnectionError', mayHaveHappened: true });
    expect(server.seen).toHaveLength(2);
  });

  test('reject JSON of another program', async () => {
    for (const value of [{ hello: 1 }, [{}], { user: null }]) {
      server.fates = [json(200, value)];
      const unexpected = { code: 'unexpected', status: 200 };
      expect(await failure(client().me()), JSON.stringify(value)).toMatchObject(unexpected);
    }
  });

  test('end a request and a pause by the signal', async () => {
    for (const fate of [silence, refuse(429, 'rate_limited', { 'retry-after': '30' })]) {
      server.fates = [fate];
      const before = server.seen.length;
      const abort = new AbortController();
      const reason = new Error('enough');
      const failed = failure(client().etch(body, { signal: abort.signal }));
      await expect.poll(() => server.seen.length, { interval: 5 }).toBe(before + 1);
      abort.abort(reason);
      expect(await failed).toBe(reason);
      expect(server.seen).toHaveLength(before + 1);
    }
  });
});

describe('retries', () => {
  test('500, only with an Idempotency-Key', async () => {
    server.fates = [refuse(500, 'internal', { 'retry-after': '0' }), json(201, etchAnswer)];
    const { etch } = await client().etch({ ...body, signature: undefined });
    expect(etch).toEqual(etchAnswer.etch);
    expect(new Set(keys()).size).toBe(1);
    for (const call of [() => client().getEtch(etchAnswer.etch.id), () => client().keys.create('nightly')]) {
      server.fates = [refuse(500, 'internal')];
      const before = server.seen.length;
      expect(await failure(call())).toMatchObject({ status: 500 });
      expect(server.seen).toHaveLength(before + 1);
    }
  });

  test('a read, after a broken connection', async () => {
    server.fates = [breakOff, json(200, etchAnswer)];
    expect(await client().getEtch(etchAnswer.etch.id)).toEqual(etchAnswer.etch);
  });

  test('not a new API key that may have been issued', async () => {
    server.fates = [breakOff];
    expect(await failure(client().keys.create('nightly'))).toMatchObject({ mayHaveHappened: true });
    expect(server.seen).toHaveLength(1);
  });

  test('a new API key after a 429, because no key was issued', async () => {
    const key = { id: 'k', name: 'nightly', scope: 'read' };
    server.fates = [LIMITED, json(201, { key, api_key: 'svc_sk_new' })];
    expect(await client().keys.create('nightly')).toEqual({ key, apiKey: 'svc_sk_new' });
    expect(server.seen).toHaveLength(2);
  });

  test('a retraction whose answer was lost, which then is done', async () => {
    const { etch } = etchAnswer;
    const { etch: tombstone } = goneAnswer(body);
    const gone = { etch: tombstone };
    server.fates = [json(200, { etch }), breakOff, refuse(422, 'unprocessable'), json(200, gone)];
    expect(await client().retract(etch.id)).toEqual(gone.etch);
    server.fates = [json(200, gone), refuse(422, 'unprocessable')];
    expect(await failure(client().retract(etch.id))).toMatchObject({ status: 422 });
  });
});

describe('answers of other programs', () => {
  test.each<[string, number, Record<string, string>]>([
    ['an HTML page', 200, { 'content-type': 'text/html' }],
    ['a redirect', 302, { location: 'http://127.0.0.1:9/' }],
  ])('rejects %s', async (_, status, headers) => {
    server.fates = [(response) => void response.writeHead(status, headers).end('<html>')];
    expect(await failure(client().me())).toMatchObject({ code: 'unexpected', status });
    expect(server.seen).toHaveLength(1);
  });

  test('reports a refused connection', async () => {
    await server.close();
    const error = await failure(client({ attempts: 2 }).keys.create('nightly'));
    expect(error).toMatchObject({ name: 'ConnectionError', mayHaveHappened: false });
    expect((error as Error).message).toContain(server.url);
  });
});

describe('the credential', () => {
  test('may be a function, which is called for each attempt', async () => {
    server.fates = [BUSY, json(201, etchAnswer)];
    let made = 0;
    const renewing = createClient({ baseUrl: server.url, apiKey: async () => `token-${++made}` });
    await renewing.etch(body);
    const sent = server.seen.map(({ headers }) => headers.authorization);
    expect(sent).toEqual(['Bearer token-1', 'Bearer token-2']);
    expect(new Set(keys()).size).toBe(1);
    server.fates = [json(200, etchAnswer)];
    await renewing.as(() => undefined).getEtch(etchAnswer.etch.id);
    expect(server.seen.at(-1)!.headers.authorization).toBeUndefined();
    const error = await failure(renewing.as(() => 'secret\n').getEtch(etchAnswer.etch.id));
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).not.toContain('secret');
  });
});

test('rejects a wrong base url, key and id', async () => {
  expect(() => createClient({ baseUrl: 'ftp://x' })).toThrow(TypeError);
  const spoiled = () => createClient({ baseUrl: server.url, apiKey: 'secret\n' });
  expect(spoiled).toThrow(/characters that no key has/);
  expect(await failure(client().getEtch('..'))).toBeInstanceOf(TypeError);
  server.fates = [refuse(404, 'not_found')];
  expect(await failure(client().getEtch('a/../b?c'))).toMatchObject({ status: 404 });
  expect(server.seen.at(-1)!.path).toBe('/api/v1/etches/a%2F..%2Fb%3Fc');
});
