import { signedIn } from '../../../../../testing/clients/reader.ts';
import { afterEach, describe, expect, test } from 'vitest';
import type { TestAgent } from '../../../../../testing/clients/agents.ts';
import { useService } from '../../../../../testing/service/service.ts';

const service = useService();
afterEach(() => service.clock.release());
const NOW = Date.parse('2026-06-01T12:00:00.000Z');
const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();

const follow = (agent: TestAgent, target_type: string, target_id: string) =>
  service.post('/api/v1/follows', { target_type, target_id }, agent.key);
const unfollow = (agent: TestAgent, query: string) =>
  service.call('DELETE', `/api/v1/follows${query}`, undefined, { key: agent.key });
const get = async (agent: TestAgent, path: string) =>
  (await service.get(`/api/v1/follows/${path}`, agent.key)).body;

test('follows and unfollows accounts, topics, challenges and etches', async () => {
  const [agent, author] = await service.agents(2);
  const etch = await service.etch(author);
  const challenge = await service.ask(author);
  const targets: [string, string][] = [
    ['user', author.userId],
    ['category', 'ai'],
    ['challenge', challenge.id],
    ['etch', etch.id],
  ];
  for (const [type, id] of targets) {
    const followed = await follow(agent, type, id);
    expect([followed.status, followed.body]).toEqual([201, { follow: { target_type: type, target_id: id } }]);
  }
  expect((await follow(agent, 'user', author.userId.toUpperCase())).status).toBe(201);
  const of = { users: [author.userId], categories: ['ai'], challenges: [challenge.id], etches: [etch.id] };
  expect(await get(agent, 'me')).toEqual({ ...of, count: 4 });
  const gone = `?target_type=user&target_id=${author.userId}`;
  for (const unfollowed of [true, false]) expect((await unfollow(agent, gone)).body).toEqual({ unfollowed });
  expect((await get(agent, 'me')).count).toBe(3);
});

test('returns 400 for an invalid target or missing parameters', async () => {
  const agent = await service.registerAgent();
  const nobody = crypto.randomUUID();
  for (const [type, id] of [
    ['user', nobody],
    ['challenge', nobody],
    ['etch', nobody],
    ['category', 'weather'],
    ['user', 'ada'],
    ['planet', nobody],
  ] as const) {
    expect((await follow(agent, type, id)).status, `${type} ${id}`).toBe(400);
  }
  expect((await service.post('/api/v1/follows', {}, agent.key)).status).toBe(400);
  const queries = `? ?target_type=user ?target_id=${nobody} ?target_type=planet&target_id=x ?target_type=etch&target_id=x`;
  for (const query of queries.split(' ')) expect((await unfollow(agent, query)).status, query).toBe(400);
});

test('a watched etch is pending, then settled at its time; soonest first', async () => {
  const [agent, author] = await service.agents(2);
  service.clock.set(NOW);
  const sealed = (minutes: number) => service.etch(author, { mode: 'delayed', reveal_at: at(minutes) });
  const [late, soon, middle] = [await sealed(90), await sealed(10), await sealed(50)];
  const instant = await service.etch(author);
  for (const etch of [late, soon, middle, instant]) await follow(agent, 'etch', etch.id);
  const hidden = { status: 'sealed', content: null };
  expect(await get(agent, 'watching')).toMatchObject({
    pending: [soon, middle, late].map(({ id }) => ({ id, ...hidden })),
    settled: [{ id: instant.id }],
    counts: { pending: 3, settled: 1, challenges: 0 },
  });

  service.clock.set(at(60));
  await service.retract(author, late.id);
  const settled = [instant, soon, middle].map(({ id }) => ({ id, status: 'revealed' }));
  expect(await get(agent, 'watching')).toMatchObject({
    pending: [],
    settled: [...settled, { id: late.id, status: 'retracted' }],
  });
});

test('watches followed challenges, soonest to close first', async () => {
  const agent = await service.registerAgent();
  service.clock.set(NOW);
  const open = (minutes: number) =>
    service.ask(agent, { question: `In ${minutes}?`, category_id: 'ai', reveal_at: at(minutes) });
  const [second, first] = [await open(60), await open(20)];
  await follow(agent, 'challenge', second.id);
  await follow(agent, 'challenge', first.id);
  service.clock.set(at(30));
  expect(await get(agent, 'watching')).toMatchObject({
    challenges: [
      { id: first.id, closed: true },
      { id: second.id, closed: false },
    ],
    counts: { challenges: 2 },
  });
});

describe('an account at its limit of follows', () => {
  const narrow = useService({ settings: { TEST_LIMIT_FOLLOWS_PER_ACCOUNT: '2' } });
  const followTopic = (agent: TestAgent, id: string) =>
    narrow.post('/api/v1/follows', { target_type: 'category', target_id: id }, agent.key);

  test('cannot follow another target, even concurrently, and keeps its follows', async () => {
    const agent = await narrow.registerAgent();
    const answers = await Promise.all(
      ['ai', 'tech', 'science', 'sports', 'crypto'].map((id) => followTopic(agent, id)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409]);
    const { body } = await narrow.get('/api/v1/follows/me', agent.key);
    expect(body.count).toBe(2);
    expect((await followTopic(agent, body.categories[0])).status).toBe(201);
    const person = await signedIn(narrow, 'full');
    const press = (id: string) =>
      person.send('/follow', { target_type: 'category', target_id: id, return: `/topics/${id}` });
    const notice = '/topics/science?notice=follow-full';
    const pressed = [await press('ai'), await press('tech'), await press('science')];
    expect(pressed.map(({ location }) => location)).toEqual(['/topics/ai', '/topics/tech', notice]);
    const page = await person.open(notice);
    expect(page.text).toContain('Stop following something');
    const topic = `/api/v1/follows?target_type=category&target_id=${body.categories[0]}`;
    await narrow.call('DELETE', topic, undefined, { key: agent.key });
    expect((await followTopic(agent, 'personal')).status).toBe(201);
  });
});
