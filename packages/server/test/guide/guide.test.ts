import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../testing/json.ts';
import { useService } from '../../../../testing/service/service.ts';

const on = { GUIDE_ENABLED: 'true', TRUST_PROXY: 'loopback' };
const one = (answer = 'x', question = 'trust') => [{ question, answer }];

describe('the guide', () => {
  const off = useService();
  test('is off by default', async () => {
    const agent = await off.registerAgent();
    for (const path of ['/api/v1/me/guide', '/api/v1/guide/answers'])
      expect((await off.get(path, agent.key)).status).toBe(404);
    expect((await off.post('/api/v1/guide/answers', { answers: one() })).status).toBe(404);
  });
});

describe('the guide, enabled', () => {
  const service = useService({
    settings: { ...on, GUIDE_READERS: 'reader_one', LIMIT_GUIDE_PER_HOUR: '5' },
  });
  const send = (body: unknown, key?: string) => service.post('/api/v1/guide/answers', body, key);
  const guide = async (key: string) => (await service.get('/api/v1/me/guide', key)).body;

  test("shows progress from the account's record", async () => {
    const agent = await service.registerAgent();
    const done = async () => {
      const { progress } = await guide(agent.key);
      return progress.filter((step: Json) => step.done).map((step: Json) => step.id);
    };
    expect(await done()).toEqual([]);
    const etch = await service.etch(agent);
    await service.seal(agent, { reveal_at: service.at(600_000) });
    await service.post('/api/v1/follows', { target_type: 'category', target_id: 'ai' }, agent.key);
    await service.post('/api/v1/me/keys', { name: 'second' }, agent.key);
    expect(await done()).toEqual(['etch', 'seal', 'follow', 'key']);
    expect((await guide(agent.key)).proof_etch.id).toBe(etch.id);
    service.clock.advance(600_001);
    expect(await done()).toContain('reveal');
    service.clock.release();
  });

  test('stores every answer, oldest first', async () => {
    const agent = await service.registerAgent();
    const first = await send({ answers: [...one('The chain'), ...one('  ', 'missing')] }, agent.key);
    expect([first.status, first.body]).toEqual([201, { sent: 1 }]);
    await send({ answers: one('The code') }, agent.key);
    const stored = await guide(agent.key);
    expect(stored.answers).toEqual({ trust: ['The chain', 'The code'] });
    expect(stored.questions.length).toBeGreaterThan(3);
    expect(stored).toMatchObject({ username: agent.username, reader: false });
  });

  test.each([
    ['none', { answers: [] }],
    ['nothing', {}],
    ['only empty ones', { answers: [...one(''), ...one(' \n')] }],
    ['an unknown question', { answers: one('x', 'weather') }],
    ['one of 4,001', { answers: one('x'.repeat(4_001)) }],
    ['an anon_key that is none', { anon_key: 'x', answers: one() }],
  ])('rejects an answer: %s', async (_name, body) => {
    const agent = await service.registerAgent();
    expect((await send(body, agent.key)).status).toBe(400);
  });

  test('counts signed-out answers by address, and shows all answers to readers only', async () => {
    const anonKey = crypto.randomUUID();
    const sendSome = (count: number) =>
      send({ anon_key: anonKey, answers: Array(count).fill(one('signed out', 'anything')[0]) });
    expect((await sendSome(4)).status).toBe(201);
    const refused = await sendSome(2);
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await sendSome(1)).status).toBe(201);

    const stranger = await service.registerAgent();
    expect((await service.get('/api/v1/guide/answers', stranger.key)).status).toBe(404);
    const reader = await service.signIn('reader_one');
    const testers: Json[] = (await service.get('/api/v1/guide/answers', reader.token)).body.testers;
    expect(testers.find((tester) => tester.user_id === null).answers.anything).toHaveLength(5);
    expect(testers.some((tester) => tester.username !== null)).toBe(true);
    expect((await guide(reader.token)).reader).toBe(true);
  });

  test('rejects more than a hundred answers unread', async () => {
    const answers = Array.from({ length: 101 }, () => ({ question: 'weather', answer: 1 }));
    const { key } = await service.registerAgent();
    const error = { details: [{ path: 'answers', message: 'must have at most 100 items' }] };
    for (const refused of [await send({ anon_key: 'x', answers }, key), await send({ answers })])
      expect(refused).toMatchObject({ status: 400, body: { error } });
    const most = answers.slice(1).flatMap((_, index) => one(`no. ${index}`));
    expect((await send({ answers: most }, key)).body).toEqual({ sent: 100 });
  });

  const sendFrom = (body: unknown) =>
    service.post('/api/v1/guide/answers', body, { headers: { 'x-forwarded-for': '192.0.2.1' } });
  const some = (count: number, question?: string) => Array(count).fill(one('x', question)[0]);

  test('signed-out answers count against the limit before validation; a rejected submission counts as one', async () => {
    for (const wrong of [
      { anon_key: 'x', answers: some(2) },
      { answers: some(3, 'weather') },
      { answers: one(' ') },
    ])
      expect((await sendFrom(wrong)).status).toBe(400);
    expect((await sendFrom({ answers: some(3) })).status).toBe(429);
    expect((await sendFrom({ answers: some(2) })).body).toEqual({ sent: 2 });
    for (const wrong of [{ anon_key: 'x', answers: some(1, 'weather') }, {}, { answers: 'x' }, []])
      expect((await sendFrom(wrong)).status, JSON.stringify(wrong)).toBe(429);
  });
});
