import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';

const service = useService({ settings: { LIMIT_KEY_PER_MINUTE: '50' } });
const refused = (status: number, error: object = {}) => ({ status, body: { error } });
const plain = { description: 'd', category_id: 'other', mode: 'instant' };
const etch = (content: string, rest: object = {}) => ({ content, ...plain, ...rest });

describe('texts', () => {
  test.each([
    ['composed', 'café'],
    ['decomposed', 'cafe\u0301'],
    ['with outer blanks and a line break', '  two\r\nlines \t'],
    ['with pipes', 'a|b|c'],
    ['right to left', '\u200fשלום\u200f'],
    ['of 2,000 emoji', '👩'.repeat(2_000)],
    ['with a byte order mark', '\ufeffmarked'],
    ['with backslashes and quotes', '\\N "{}" \\x00 ${x} %s'],
  ])('%s are hashed byte for byte', async (_name, content) => {
    const { key, userId } = await service.registerAgent();
    const answer = await service.post('/api/v1/etches', etch(content), key);
    expect(answer.status, answer.text).toBe(201);
    const { created_at: at, salt, ...read } = await service.read(answer.body.etch.id);
    const canonical = `svc:v1|${userId}|${at}|${salt}|${content}`;
    const hash = createHash('sha256').update(canonical, 'utf8').digest('hex');
    expect(read).toMatchObject({ content, hash, canonical_string: canonical });
  });

  test.each([
    ['2,001 emoji', etch('👩'.repeat(2_001))],
    ['nothing', etch('')],
    ['blanks only', etch(' \t\n\u00a0 ')],
    ['NUL', etch('a\0b')],
    ['a lone high surrogate', etch('a\ud800b')],
    ['a lone low surrogate', etch('\udc00')],
    ['a description of 141', etch('x', { description: 'd'.repeat(141) })],
    ['NUL in the description', etch('x', { description: 'a\0' })],
    ['a number', etch(5 as never)],
    ['an array', [etch('x')]],
    ['null', null],
    ['a string', 'text'],
    ['an unknown topic', etch('x', { category_id: 'weather' })],
    ['an unknown mode', etch('x', { mode: 'later' })],
    ['a challenge id that is none', etch('x', { challenge_id: 'abc', mode: 'delayed' })],
  ])('of %s return 400, and nothing is written or spent', async (_name, body) => {
    const { key, userId } = await service.registerAgent();
    const answer = await service.post('/api/v1/etches', body, key);
    expect(answer).toMatchObject(refused(400, { code: 'bad_request' }));
    const [found] = await service.db.query<{ n: number }>(sql`select
      (select count(*) from etch where user_id = ${userId}) + (select count(*) from allowance where user_id = ${userId}) as n`);
    expect(found!.n).toBe(0);
  });
});

const raw = async (bytes: string | Uint8Array, headers: Record<string, string> = {}) => {
  const { key } = await service.registerAgent();
  return service.post('/api/v1/etches', undefined, { key, raw: bytes, headers });
};

describe('bodies', () => {
  const good = JSON.stringify(etch('x'));

  test.each([
    ['invalid UTF-8', Buffer.from(good.replace('x', '\xff\xfe'), 'latin1')],
    ['an overlong encoding', Buffer.from(good.replace('"x"', '"')).fill(0xc0, 12, 13)],
    ['a __proto__ key', good.replace('{', '{"__proto__":{"mode":"instant"},')],
    ['an escaped __proto__ key', good.replace('{', '{"\\u005f_proto__":{},')],
    ['30,000 levels', good.replace('{', `{"deep":${'['.repeat(30_000)}${']'.repeat(30_000)},`)],
    ['30,000 unclosed levels', '['.repeat(30_000)],
    ['half of it', good.slice(0, -3)],
    ['no JSON', 'content=x'],
    ['a byte order mark', `\ufeff${good}`],
  ])('of %s return 400', async (_name, bytes) => {
    expect(await raw(bytes)).toMatchObject(refused(400, { code: 'bad_request' }));
  });

  test('returns 415 for a different type and 413 for a large body', async () => {
    expect((await raw(good, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await raw(good, { 'content-type': 'application/json; charset=utf-16' })).status).toBe(415);
    const coded = await raw(gzipSync(good), { 'content-encoding': 'gzip' });
    const message = 'send the body as it is, without a Content-Encoding';
    expect(coded).toMatchObject(refused(415, { message }));
    expect((await raw(good, { 'content-encoding': 'identity' })).status).toBe(201);
    const large = await raw(JSON.stringify(etch('x', { extra: 'x'.repeat(300_000) })));
    expect(large).toMatchObject(refused(413, { code: 'bad_request' }));
  });
});

describe('requests', () => {
  test.each([
    ['GET', '/api/v1/nowhere', 404],
    ['GET', '/api/v1/me/', 404],
    ['DELETE', '/api/v1/me/', 404],
    ['DELETE', '/api/v1/me', 405],
    ['GET', '/api/v1/etches/not-a-uuid', 404],
    ['GET', '/api/v1/etches/%00', 404],
    ['PUT', '/api/v1/etches', 405],
    ['GET', '/api/v1/etches?hash=abc', 400],
    ['GET', `/api/v1/etches?hash=${'ab'.repeat(32)}&hash=${'ab'.repeat(32)}`, 400],
    ['GET', '/api/v1/batches?limit=101', 400],
    ['GET', '/api/v1/batches?cursor=abc', 400],
    ['GET', `/api/v1/batches/${'00'.repeat(32)}?kind=2`, 400],
  ])('%s %s answers %i in the envelope', async (method, path, status) => {
    const answer = await service.call(method, path);
    expect(answer.status).toBe(status);
    expect(typeof answer.body.error.message).toBe('string');
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('bodies that are expensive to validate', () => {
  const patch = async (more: object) => {
    const { key } = await service.registerAgent();
    return service.call('PATCH', '/api/v1/me', { display_name: 'Ada', ...more }, { key });
  };

  test('ignores unknown fields, but rejects thousands of them', async () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`unknown${index}`, index]));
    expect((await patch(many(900))).status).toBe(200);
    const tooMany = refused(400, { message: 'the body holds more than 1000 values' });
    for (const more of [many(1_000), { list: Array(1_000).fill([]) }])
      expect(await patch(more)).toMatchObject(tooMany);
    // JSON inside a string does not count as values.
    expect((await raw(JSON.stringify(etch(',[{'.repeat(600))))).status).toBe(201);
  });

  test('rejects a text far over its limit for its length only', async () => {
    const details = [{ path: 'display_name', message: 'must have at most 64 characters' }];
    for (const name of [' '.repeat(200_000), '\ud800'.repeat(1_000)])
      expect(await patch({ display_name: name })).toMatchObject(refused(400, { details }));
  });
});

function exchange(text: string): Promise<{ status: number; headers: string; body: any }> {
  const { port, hostname } = new URL(service.baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('error', reject);
    socket.on('close', () => {
      const [headers = '', body = ''] = answer.split('\r\n\r\n');
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(headers)?.[1]);
      resolve({ status, headers: headers.toLowerCase(), body: JSON.parse(body) });
    });
  });
}

test.each([
  ['no HTTP', 'NONSENSE\r\n\r\n'],
  ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc'],
  ['large headers', `GET /api/v1/me HTTP/1.1\r\nHost: x\r\nX-Large: ${'a'.repeat(20_000)}\r\n\r\n`],
  ['no host', 'GET /api/v1/challenges HTTP/1.1\r\nConnection: close\r\n\r\n'],
])('an unreadable request gets the error envelope: %s', async (_name, text) => {
  const answer = await exchange(text);
  expect(answer).toMatchObject(refused(400, { code: 'bad_request' }));
  expect(answer.headers).toContain('content-type: application/json');
});

test('an answer to a valid key has its rate-limit headers, whatever is wrong with the request', async () => {
  for (const [path, status] of [
    ['/api/v1/etches/%ZZ', 400],
    [`/api/v1/etches/${'a'.repeat(3_000)}`, 404],
  ] as const) {
    const { key } = await service.registerAgent();
    const answer = await service.get(path, key);
    expect([answer.status, answer.headers.get('x-ratelimit-remaining')]).toEqual([status, '49']);
    expect((await service.get(path, 'svc_sk_no')).status).toBe(401);
  }
  const { key } = await service.registerAgent();
  const twice = 'Idempotency-Key: a\r\nIdempotency-Key: b\r\nConnection: close\r\n\r\n';
  const repeated = await exchange(
    `GET /api/v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${twice}`,
  );
  expect(repeated.status).toBe(400);
  expect(repeated.headers).toContain('x-ratelimit-remaining: 49');
});
