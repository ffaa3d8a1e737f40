import { createHash } from 'node:crypto';
import sql from 'sql-template-tag';
import { afterEach, expect, test } from 'vitest';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import { useService } from '../../../../testing/service/service.ts';

const service = useService();
afterEach(() => service.clock.release());

const body = { content: 'once', description: 'only', category_id: 'other', mode: 'instant' };
const post = ({ key }: TestAgent, fields: object, idempotencyKey: string) =>
  service.post('/api/v1/etches', fields, { key, headers: { 'idempotency-key': idempotencyKey } });
const remaining = async (agent: TestAgent): Promise<number> =>
  (await service.get('/api/v1/me/limits', agent.key)).body.etches.remaining;
const count = ({ userId }: TestAgent) =>
  service.db.countRows(sql`select 1 from etch where user_id = ${userId}`);

test('makes one etch of fifty parallel requests and spends one', async () => {
  const agent = await service.registerAgent();
  // A running clock would refill the bucket.
  service.clock.set('2026-06-01T12:00:00.000Z');
  const before = await remaining(agent);
  const answers = await Promise.all(Array.from({ length: 50 }, () => post(agent, body, 'fifty')));
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201]));
  expect(new Set(answers.map((answer) => answer.body.etch.id)).size).toBe(1);
  expect(answers.filter((answer) => answer.headers.get('idempotent-replay') === null)).toHaveLength(1);
  expect(await count(agent)).toBe(1);
  expect(before - (await remaining(agent))).toBe(1);
});

test('returns the present state of the record: years later, after its reveal, after its retraction', async () => {
  const agent = await service.registerAgent();
  service.clock.set('2026-06-01T12:00:00.000Z');
  const sealed = { ...body, mode: 'delayed', reveal_at: '2026-06-01T12:10:00Z' };
  const first = await post(agent, sealed, 'years');
  expect(first.body.etch.status).toBe('sealed');
  service.clock.set('2036-06-01T12:00:00.000Z');
  const later = await post(agent, sealed, 'years');
  expect(later.status).toBe(201);
  expect(later.body.etch).toMatchObject({ id: first.body.etch.id, status: 'revealed', content: 'once' });
  await service.retract(agent, first.body.etch.id);
  const retracted = await post(agent, sealed, 'years');
  expect(retracted.status).toBe(201);
  expect(retracted.body.etch).toMatchObject({ status: 'retracted', content: null });
  expect(await count(agent)).toBe(1);
});

test('recognizes the request in any spelling of its JSON', async () => {
  const agent = await service.registerAgent();
  const first = await service.post('/api/v1/etches', undefined, {
    key: agent.key,
    headers: { 'idempotency-key': 'spelling' },
    raw: '{"mode":"delayed","content":"caf\\u00e9","description":"d","category_id":"ai","reveal_at":"2099-01-01T00:00:00Z","signature":null,"extra":1}',
  });
  const words = { category_id: 'ai', description: 'd', content: 'café', mode: 'delayed' };
  const second = await post(agent, { reveal_at: '2099-01-01T02:00:00.000+02:00', ...words }, 'spelling');
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.body.etch.id).toBe(first.body.etch.id);
});

test.each([
  ['content', { content: 'twice' }],
  ['description', { description: 'twice' }],
  ['topic', { category_id: 'ai' }],
  ['mode', { mode: 'delayed', reveal_at: '2099-01-01T00:00:00Z' }],
])('returns 409 for another %s', async (name, change) => {
  const agent = await service.registerAgent();
  await post(agent, body, name);
  const answer = await post(agent, { ...body, ...change }, name);
  expect(answer.status).toBe(409);
  expect(await count(agent)).toBe(1);
});

test('returns 409 for another reveal time, signature or challenge', async () => {
  const agent = await service.registerAgent();
  const statuses = async (key: string, ...requests: object[]): Promise<number[]> => {
    const found: number[] = [];
    for (const fields of requests) found.push((await post(agent, fields, key)).status);
    return found;
  };
  const until = (reveal_at: string) => ({ ...body, mode: 'delayed', reveal_at });
  const [early, late] = [until('2098-01-01T00:00:00Z'), until('2099-01-01T00:00:00Z')];
  expect(await statuses('time', early, early, late)).toEqual([201, 201, 409]);
  const digest = createHash('sha256').update(body.content).digest('hex');
  const signature = agent.sign(`svc-sig:v1|${agent.userId}|${digest}`);
  const [signed, inCapitals] = [signature, signature.toUpperCase()].map((one) => ({
    ...body,
    signature: one,
  }));
  expect(await statuses('signature', signed!, inCapitals!, body)).toEqual([201, 201, 409]);
  const asked = [await service.ask(agent), await service.ask(agent)];
  const [one, other] = asked.map(({ id }) => ({
    content: 'yes',
    mode: 'delayed',
    category_id: 'science',
    challenge_id: id,
  }));
  expect(await statuses('challenge', one!, one!, other!)).toEqual([201, 201, 409]);
});

test('is separate for each account', async () => {
  const [one, two] = await service.agents(2);
  const answers = [await post(one, body, 'mine'), await post(two, body, 'mine')];
  expect(answers.map((answer) => answer.status)).toEqual([201, 201]);
  expect(answers[0]!.body.etch.id).not.toBe(answers[1]!.body.etch.id);
});

test('is neither bound nor charged by a failed request', async () => {
  const agent = await service.registerAgent();
  const before = await remaining(agent);
  service.clock.set('2026-06-01T12:00:00.000Z');
  expect((await post(agent, { ...body, content: '' }, 'failed')).status).toBe(400);
  const soon = { ...body, mode: 'delayed', reveal_at: '2026-06-01T12:01:00Z' };
  expect((await post(agent, soon, 'failed')).status).toBe(400);
  service.clock.release();
  expect(await remaining(agent)).toBe(before);
  expect((await post(agent, body, 'failed')).status).toBe(201);
});

test('may have 255 characters and not 256', async () => {
  const agent = await service.registerAgent();
  expect((await post(agent, body, 'k'.repeat(256))).status).toBe(400);
  expect((await post(agent, body, 'k'.repeat(255))).status).toBe(201);
});

test('is stored without the body and without a plain hash of it', async () => {
  const agent = await service.registerAgent();
  await post(agent, { ...body, content: 'guessable' }, 'fingerprint');
  const stored = await service.db.value<Buffer>(
    sql`select fingerprint from idempotency where user_id = ${agent.userId}`,
  );
  expect(stored).toHaveLength(32);
  for (const text of ['guessable', JSON.stringify({ ...body, content: 'guessable' })])
    expect(stored).not.toEqual(createHash('sha256').update(text).digest());
});

const limited = useService({ settings: { LIMIT_ETCHES_KEYPAIR: '100' } });

test('of 100 accepts exactly 100 of 300 parallel requests over all keys of the account', async () => {
  const agent = await limited.registerAgent();
  const second = await limited.post('/api/v1/me/keys', { name: 'second', scope: 'write' }, agent.key);
  limited.clock.set('2026-06-01T12:00:00.000Z');
  const create = (key = agent.key) => limited.post('/api/v1/etches', body, key);
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, index) => create(index % 2 ? agent.key : second.body.api_key)),
  );
  expect(answers.filter((answer) => answer.status === 201)).toHaveLength(100);
  const refused = answers.filter((answer) => answer.status === 429);
  expect(refused).toHaveLength(200);
  expect(refused[0]!.body.error.code).toBe('rate_limited');
  expect(refused[0]!.headers.get('retry-after')).toBe('864');
  expect(refused[0]!.headers.get('x-ratelimit-limit')).toBe('100');
  limited.clock.advance(863_000);
  expect((await create()).status).toBe(429);
  limited.clock.advance(1_000);
  expect((await create()).status).toBe(201);
  expect((await create()).status).toBe(429);
});
