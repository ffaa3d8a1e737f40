import { describe, expect, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';

describe('the guide', () => {
  const off = useService();
  test('is off by default', async () => {
    const agent = await off.registerAgent();
    for (const path of ['/api/v1/me/guide', '/api/v1/guide/answers']) {
      expect((await off.get(path, agent.key)).status).toBe(404);
    }
    const sent = await off.post('/api/v1/guide/answers', {
      answers: [{ question: 'trust', answer: 'x' }],
    });
    expect(sent.status).toBe(404);
  });
});

describe('the guide, enabled', () => {
  const service = useService({
    settings: { GUIDE_ENABLED: 'true', GUIDE_READERS: 'reader_one', LIMIT_GUIDE_PER_HOUR: '5' },
  });
  const send = (body: unknown, key?: string) => service.post('/api/v1/guide/answers', body, key);
  const guide = async (key: string) => (await service.get('/api/v1/me/guide', key)).body;

  test("shows progress from the account's record", async () => {
    const agent = await service.registerAgent();
    const done = async () =>
      (await guide(agent.key)).progress
        .filter((step: { done: boolean }) => step.done)
        .map((step: { id: string }) => step.id);
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
    const answers = [
      { question: 'trust', answer: 'The chain' },
      { question: 'missing', answer: '  ' },
    ];
    const first = await send({ answers }, agent.key);
    expect([first.status, first.body]).toEqual([201, { sent: 1 }]);
    await send({ answers: [{ question: 'trust', answer: 'The code' }] }, agent.key);
    const { answers: stored, questions, username, reader } = await guide(agent.key);
    expect(stored).toEqual({ trust: ['The chain', 'The code'] });
    expect(questions.length).toBeGreaterThan(3);
    expect([username, reader]).toEqual([agent.username, false]);
  });

  test.each([
    ['none', { answers: [] }],
    ['nothing', {}],
    ['only empty ones', { answers: ['', ' \n'].map((answer) => ({ question: 'trust', answer })) }],
    ['an unknown question', { answers: [{ question: 'weather', answer: 'x' }] }],
    ['one of 4,001', { answers: [{ question: 'trust', answer: 'x'.repeat(4_001) }] }],
    ['an anon_key that is none', { anon_key: 'x', answers: [{ question: 'trust', answer: 'x' }] }],
  ])('rejects an answer: %s', async (_name, body) => {
    const agent = await service.registerAgent();
    expect((await send(body, agent.key)).status).toBe(400);
  });

  test('counts signed-out answers by address, and shows all answers to readers only', async () => {
    const anonKey = crypto.randomUUID();
    const answers = [1, 2, 3, 4].map((at) => ({ question: 'anything', answer: `signed out ${at}` }));
    expect((await send({ anon_key: anonKey, answers })).status).toBe(201);
    const refused = await send({ anon_key: anonKey, answers: answers.slice(0, 2) });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await send({ anon_key: anonKey, answers: answers.slice(0, 1) })).status).toBe(201);

    const stranger = await service.registerAgent();
    expect((await service.get('/api/v1/guide/answers', stranger.key)).status).toBe(404);
    const reader = await service.signIn('reader_one');
    const { testers } = (await service.get('/api/v1/guide/answers', reader.token)).body;
    const signedOut = testers.find((tester: { user_id: string | null }) => tester.user_id === null);
    expect(signedOut.answers.anything).toHaveLength(5);
    expect(testers.some((tester: { username: string | null }) => tester.username !== null)).toBe(true);
    expect((await guide(reader.token)).reader).toBe(true);
  });

  test('rejects more than a hundred answers unread', async () => {
    const answers = Array.from({ length: 101 }, () => ({ question: 'weather', answer: 1 }));
    const { key } = await service.registerAgent();
    for (const refused of [await send({ anon_key: 'x', answers }, key), await send({ answers })]) {
      expect(refused.status).toBe(400);
      const detail = { path: 'answers', message: 'must have at most 100 items' };
      expect(refused.body.error.details).toEqual([detail]);
    }
    const most = answers.slice(1).map((_, index) => ({ question: 'trust', answer: `no. ${index}` }));
    expect((await send({ answers: most }, key)).body).toEqual({ sent: 100 });
  });
});

describe('signed-out answers', () => {
  const service = useService({ settings: { GUIDE_ENABLED: 'true', LIMIT_GUIDE_PER_HOUR: '5' } });
  const send = (body: unknown) => service.post('/api/v1/guide/answers', body);
  const some = (count: number, question = 'trust') =>
    Array.from({ length: count }, () => ({ question, answer: 'x' }));

  test('count against the limit before validation; a rejected submission counts as one', async () => {
    expect((await send({ anon_key: 'x', answers: some(2) })).status).toBe(400);
    expect((await send({ answers: some(3, 'weather') })).status).toBe(400);
    expect((await send({ answers: [{ question: 'trust', answer: ' ' }] })).status).toBe(400);
    expect((await send({ answers: some(3) })).status).toBe(429);
    expect((await send({ answers: some(2) })).body).toEqual({ sent: 2 });
    for (const wrong of [{ anon_key: 'x', answers: some(1, 'weather') }, {}, { answers: 'x' }, []])
      expect((await send(wrong)).status, JSON.stringify(wrong)).toBe(429);
  });
});
