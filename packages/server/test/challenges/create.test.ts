import { afterEach, expect, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';
import {
  at,
  challengeBody,
  counted,
  enter,
  MINUTE,
  NOON,
  openChallenge,
  remaining,
  UNKNOWN,
} from './support.ts';

const service = useService({ settings: { LIMIT_CHALLENGES_PER_DAY: '1000' } });
afterEach(() => service.clock.release());

const post = (key: string | undefined, fields: Record<string, unknown> = {}) =>
  service.post('/api/v1/challenges', challengeBody(service, fields), key);

test('is returned as sent, with its time in UTC, and is read by id and code', async () => {
  const agent = await service.registerAgent({ displayName: 'Ada' });
  service.clock.set(NOON);
  const answer = await post(agent.key, { reveal_at: '2026-06-01T16:00:00.1239+02:00' });
  expect(answer.status).toBe(201);
  expect(answer.headers.get('idempotent-replay')).toBeNull();
  const { id } = answer.body.challenge;
  const common = {
    id,
    question: 'On which day does the lighthouse shine again?',
    creator_id: agent.userId,
    category: { id: 'culture', label: 'Culture' },
    created_at: '2026-06-01T12:00:00.000Z',
    reveal_at: '2026-06-01T14:00:00.123Z',
  };
  expect(answer.body.challenge).toEqual({ ...common, url: `${service.baseUrl}/ch/${id}` });

  const detail = await service.get(`/api/v1/challenges/${id.toUpperCase()}`);
  expect(detail.status).toBe(200);
  const { code } = detail.body.challenge;
  expect(code).toMatch(/^[23456789abcdefghjkmnpqrstuvwxyz]{6}$/);
  const creator = { username: agent.username, display_name: 'Ada', official: false };
  expect(detail.body).toEqual({
    challenge: {
      ...common,
      code,
      short_url: `${service.baseUrl}/ch/${code}`,
      closed: false,
      creator: { ...creator, social_handle: null, social_verified_at: null },
    },
    counts: { etches: 0, participants: 0, sealed: 0, revealed: 0, retracted: 0 },
    sort: 'newest',
    etches: [],
    page: { limit: 30, has_more: false, next_cursor: null },
  });
});

test.each([
  ['without a question', { question: undefined }],
  ['with a blank question', { question: ' \n ' }],
  ['with a question of 281 code points', { question: '🗼'.repeat(281) }],
  ['with NUL in the question', { question: 'a\u0000b' }],
  ['with an unknown topic', { category_id: 'gossip' }],
  ['without a reveal time', { reveal_at: undefined }],
  ['with a date alone', { reveal_at: '2099-07-01' }],
  ['with a time without a zone', { reveal_at: '2099-07-01T12:00:00' }],
  ['with an impossible date', { reveal_at: '2099-02-30T12:00:00Z' }],
  ['with a reveal time in the past', { reveal_at: '2020-01-01T00:00:00Z' }],
])('returns 400 %s', async (_name, fields) => {
  const { key } = await service.registerAgent();
  const error = { code: 'bad_request', details: [{ path: Object.keys(fields)[0] }] };
  expect(await post(key, fields)).toMatchObject({ status: 400, body: { error } });
});

test('may have a question of 280 code points, stored as sent', async () => {
  const question = `  ${'🗼'.repeat(276)}\n?`;
  const agent = await service.registerAgent();
  const { id } = await openChallenge(service, agent, { question });
  const { body } = await service.get(`/api/v1/challenges/${id}`);
  expect(body.challenge.question).toBe(question);
});

test('must close at least exactly the lead time ahead', async () => {
  const agent = await service.registerAgent();
  service.clock.set(NOON);
  const error = { details: [{ path: 'reveal_at' }] };
  const early = await post(agent.key, { reveal_at: at(NOON + 5 * MINUTE - 1) });
  expect(early).toMatchObject({ status: 400, body: { error } });
  expect((await post(agent.key, { reveal_at: at(NOON + 5 * MINUTE) })).status).toBe(201);
});

test('accepts exactly one of 300 parallel entries of one account', async () => {
  const author = await service.registerAgent();
  const { id } = await openChallenge(service, author);
  // A running clock would refill the bucket.
  service.clock.set(service.clock.now());
  const before = await remaining(service, author);
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, index) => enter(service, author, id, { content: `answer ${index}` })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(299).fill(409)]);
  expect(await counted(service, id)).toEqual({ kept: 1, counted: 1, accounts: 1 });
  expect(before - (await remaining(service, author))).toBe(1);
  service.clock.release();
});

test('decides entries, second entries, unknown challenges and other etches of one batch separately', async () => {
  const agents = await service.agents(24);
  const challenges = await Promise.all(agents.slice(0, 4).map((agent) => openChallenge(service, agent)));
  const apart = { content: 'apart', description: 'apart', category_id: 'other', mode: 'instant' };
  const answers = await Promise.all(
    agents.flatMap((agent, turn) => [
      ...[0, 1, 2, 3, 0, 1, 2, 3].map((index) =>
        enter(service, agent, challenges[(index + turn) % 4]!.id, { content: `${turn} ${index}` }),
      ),
      enter(service, agent, UNKNOWN),
      service.post('/api/v1/etches', apart, agent.key),
    ]),
  );
  const count = (status: number) => answers.filter((answer) => answer.status === status).length;
  expect([201, 409, 404].map(count)).toEqual([24 * 5, 24 * 4, 24]);
  for (const { id } of challenges)
    expect(await counted(service, id)).toEqual({ kept: 24, counted: 24, accounts: 24 });
});
