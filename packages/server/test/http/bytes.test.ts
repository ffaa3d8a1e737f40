import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';

const service = useService();
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
    const { id } = answer.body.etch;
    const read = await service.read(id);
    expect(read.content).toBe(content);
    const canonical = `svc:v1|${userId}|${read.created_at}|${read.salt}|${content}`;
    expect(read.hash).toBe(createHash('sha256').update(canonical, 'utf8').digest('hex'));
    expect(read.canonical_string).toBe(canonical);
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
    expect(answer.status, answer.text).toBe(400);
    expect(answer.body.error.code).toBe('bad_request');
    const [found] = await service.db.query<{ n: number }>(sql`select
      (select count(*) from etch where user_id = ${userId}) + (select count(*) from allowance where user_id = ${userId}) as n`);
    expect(found!.n).toBe(0);
  });
});

describe('bodies', () => {
  const raw = async (bytes: string | Uint8Array, headers: Record<string, string> = {}) => {
    const { key } = await service.registerAgent();
    return service.post('/api/v1/etches', undefined, { key, raw: bytes, headers });
  };
  const good = JSON.stringify(etch('x'));

  test.each([
    [
      'invalid UTF-8',
      Buffer.concat([Buffer.from(good.slice(0, 13)), Buffer.from([0xff, 0xfe]), Buffer.from(good.slice(13))]),
    ],
    ['an overlong encoding', Buffer.from(good.replace('"x"', '"')).fill(0xc0, 12, 13)],
    ['a __proto__ key', good.replace('{', '{"__proto__":{"mode":"instant"},')],
    ['an escaped __proto__ key', good.replace('{', '{"\\u005f_proto__":{},')],
    ['30,000 levels', good.replace('{', `{"deep":${'['.repeat(30_000)}${']'.repeat(30_000)},`)],
    ['30,000 unclosed levels', '['.repeat(30_000)],
    ['half of it', good.slice(0, -3)],
    ['no JSON', 'content=x'],
    ['a byte order mark', `\ufeff${good}`],
  ])('of %s return 400', async (_name, bytes) => {
    const answer = await raw(bytes);
    expect(answer.status, answer.text).toBe(400);
    expect(answer.body.error.code).toBe('bad_request');
  });

  test('returns 415 for a different type and 413 for a large body', async () => {
    expect((await raw(good, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await raw(good, { 'content-type': 'application/json; charset=utf-16' })).status).toBe(415);
    const coded = await raw(gzipSync(good), { 'content-encoding': 'gzip' });
    const message = 'send the body as it is, without a Content-Encoding';
    expect(coded).toMatchObject({ status: 415, body: { error: { message } } });
    expect((await raw(good, { 'content-encoding': 'identity' })).status).toBe(201);
    const large = await raw(JSON.stringify(etch('x', { extra: 'x'.repeat(300_000) })));
    expect([large.status, large.body.error.code]).toEqual([413, 'bad_request']);
  });
});

describe('requests', () => {
  test('returns 400 for a repeated header', async () => {
    const { key } = await service.registerAgent();
    const body = JSON.stringify(etch('x'));
    const headers = {
      ...{ 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      ...{ authorization: `Bearer ${key}`, 'idempotency-key': ['one', 'two'] },
    };
    const url = new URL('/api/v1/etches', service.baseUrl);
    const status = await new Promise<number>((resolve, reject) => {
      const sent = httpRequest(url, { method: 'POST', headers }, (answer) =>
        resolve((answer.resume(), answer.statusCode!)),
      );
      sent.on('error', reject).end(body);
    });
    expect(status).toBe(400);
  });

  test.each([
    ['GET', '/api/v1/nowhere', 404],
    ['GET', '/api/v1/me/', 404],
    ['DELETE', '/api/v1/me/', 404],
    ['DELETE', '/api/v1/me', 405],
    ['GET', '/api/v1/etches/not-a-uuid', 404],
    ['GET', `/api/v1/etches/${crypto.randomUUID()}`, 404],
    ['GET', '/api/v1/etches/%00', 404],
    ['GET', '/api/v1/etches/%zz', 400],
    ['PUT', '/api/v1/etches', 405],
    ['GET', '/api/v1/etches', 400],
    ['GET', '/api/v1/etches?hash=abc', 400],
    ['GET', `/api/v1/etches?hash=${'ab'.repeat(32)}`, 404],
    ['GET', `/api/v1/etches?hash=${'ab'.repeat(32)}&hash=${'ab'.repeat(32)}`, 400],
    ['GET', '/api/v1/batches?limit=0', 400],
    ['GET', '/api/v1/batches?limit=101', 400],
    ['GET', '/api/v1/batches?cursor=abc', 400],
    ['GET', `/api/v1/batches/${'00'.repeat(32)}`, 404],
    ['GET', `/api/v1/batches/${'00'.repeat(32)}?kind=2`, 400],
    ['POST', '/api/v1/etches', 401],
  ])('%s %s answers %i in the envelope', async (method, path, status) => {
    const answer = await service.call(method, path);
    expect(answer.status).toBe(status);
    expect(typeof answer.body.error.message).toBe('string');
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('bodies that are expensive to validate', () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`unknown${index}`, index]));

  test('ignores unknown fields, but rejects thousands of them', async () => {
    const { key } = await service.registerAgent();
    const send = (count: number) =>
      service.call('PATCH', '/api/v1/me', { display_name: 'Ada', ...many(count) }, { key });
    expect((await send(900)).status).toBe(200);
    const refused = await send(1_000);
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { message: 'the body holds more than 1000 values' } },
    });
    const list = { display_name: 'Ada', list: Array(1_000).fill([]) };
    expect((await service.call('PATCH', '/api/v1/me', list, { key })).status).toBe(400);
    // JSON inside a string does not count as values.
    const text = await service.post('/api/v1/etches', etch(',[{'.repeat(600)), key);
    expect(text.status).toBe(201);
  });

  test('rejects a text far over its limit for its length only', async () => {
    const { key } = await service.registerAgent();
    for (const name of [' '.repeat(200_000), '\ud800'.repeat(1_000)]) {
      const refused = await service.call('PATCH', '/api/v1/me', { display_name: name }, { key });
      expect(refused.status).toBe(400);
      const detail = { path: 'display_name', message: 'must have at most 64 characters' };
      expect(refused.body.error.details).toEqual([detail]);
    }
  });
});
