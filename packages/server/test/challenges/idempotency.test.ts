import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { afterEach, describe, expect, test } from 'vitest';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import { useService } from '../../../../testing/service/service.ts';
import { at, challengeBody, MINUTE, NOON, openChallenge } from './support.ts';

const service = useService({ settings: { LIMIT_CHALLENGES_PER_DAY: '3' } });
afterEach(() => service.clock.release());

const post = (agent: TestAgent, idempotencyKey: string | undefined, fields: Record<string, unknown> = {}) =>
  service.post('/api/v1/challenges', challengeBody(service, fields), {
    key: agent.key,
    headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
  });
const postEtch = (agent: TestAgent, idempotencyKey: string) =>
  service.post(
    '/api/v1/etches',
    { content: 'a text', description: 'd', category_id: 'other', mode: 'instant' },
    { key: agent.key, headers: { 'idempotency-key': idempotencyKey } },
  );
const made = async (agent: TestAgent): Promise<number> =>
  (await service.db.query(sql`select 1 from challenge where creator_id = ${agent.userId}`)).length;
const tally = (answers: { status: number }[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

async function atNoon(): Promise<TestAgent> {
  const agent = await service.registerAgent();
  service.clock.set(NOON);
  return agent;
}

test('makes one challenge of thirty parallel requests and spends one', async () => {
  const agent = await atNoon();
  const answers = await Promise.all(Array.from({ length: 30 }, () => post(agent, 'thirty')));
  expect(tally(answers)).toEqual({ 201: 30 });
  expect(answers.filter((answer) => answer.headers.get('idempotent-replay') === null)).toHaveLength(1);
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  expect(await made(agent)).toBe(1);
  await openChallenge(service, agent);
  await openChallenge(service, agent);
  expect((await post(agent, undefined)).status).toBe(429);
  expect((await post(agent, 'thirty')).status).toBe(201);
});

test('returns the original years after it closed, in any spelling of its time', async () => {
  const agent = await atNoon();
  const first = await post(agent, 'years', { reveal_at: '2026-06-01T13:00:00Z' });
  service.clock.set('2036-06-01T12:00:00.000Z');
  const later = await post(agent, 'years', { reveal_at: '2026-06-01T15:00:00+02:00', extra: 1 });
  expect(later.status).toBe(201);
  expect(later.headers.get('idempotent-replay')).toBe('true');
  expect(later.body).toEqual(first.body);
});

test.each([{ question: 'Another?' }, { category_id: 'ai' }, { reveal_at: at(NOON + 90 * MINUTE) }])(
  'returns 409 for a different body: %o',
  async (fields) => {
    const agent = await atNoon();
    expect((await post(agent, 'k')).status).toBe(201);
    expect((await post(agent, 'k', fields)).status).toBe(409);
    expect(await made(agent)).toBe(1);
  },
);

test('stays unused, and no allowance is charged, when a request fails', async () => {
  const agent = await atNoon();
  for (let round = 0; round < 4; round++)
    expect((await post(agent, 'early', { reveal_at: at(NOON + MINUTE) })).status).toBe(400);
  for (const key of ['early', 'b', 'c']) expect((await post(agent, key)).status).toBe(201);
  expect((await post(agent, 'd')).status).toBe(429);
  service.clock.advance(8 * 60 * MINUTE);
  expect((await post(agent, 'd')).status).toBe(201);
});

test('returns 409 when the other endpoint used it', async () => {
  const agent = await service.registerAgent();
  expect((await post(agent, 'first here')).status).toBe(201);
  expect((await postEtch(agent, 'first here')).status).toBe(409);
  expect((await postEtch(agent, 'first there')).status).toBe(201);
  expect((await post(agent, 'first there')).status).toBe(409);
  expect(await made(agent)).toBe(1);
});

test('makes one record when both endpoints get it in parallel', async () => {
  service.clock.set(NOON);
  for (let round = 0; round < 8; round++) {
    const agent = await service.registerAgent();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        (index + round) % 2 === 0 ? post(agent, 'both') : postEtch(agent, 'both'),
      ),
    );
    expect(tally(answers)).toEqual({ 201: 3, 409: 3 });
    const [records] = await service.db.query<{ count: number }>(sql`
        select (select count(*) from challenge where creator_id = ${agent.userId})
          + (select count(*) from etch where user_id = ${agent.userId}) as count`);
    expect(records!.count).toBe(1);
  }
});

test.each(['POST /etches', 'POST /challenges'])(
  'is rejected when %s binds it in a transaction that commits during the request, without effect on the rest of the batch',
  async (endpoint) => {
    const [agent, neighbour] = await service.agents(2);
    const send = endpoint === 'POST /etches' ? post : postEtch;
    const waiting = await service.db.tx(async (tx) => {
      await tx.query(sql`
          insert into idempotency (user_id, key, endpoint, record_id, fingerprint)
          values (${agent.userId}, 'held', ${endpoint}, ${agent.userId}, '\\x00')`);
      const sent = [send(agent, 'held'), send(neighbour, 'held')];
      // If this is too short to reach the uncommitted row, the committed row gives the same result.
      await sleep(300);
      return { sent };
    });
    const [refused, made] = await Promise.all(waiting.sent);
    expect(refused!.status).toBe(409);
    expect(made!.status).toBe(201);
    expect((await send(agent, 'free')).status).toBe(201);
  },
);

describe('the daily allowance', () => {
  test('of 3 challenges accepts exactly 3 of 30 parallel requests, and refills by the hour', async () => {
    const agent = await atNoon();
    const answers = await Promise.all(Array.from({ length: 30 }, () => post(agent, undefined)));
    expect(tally(answers)).toEqual({ 201: 3, 429: 27 });
    const refused = answers.find((answer) => answer.status === 429)!;
    expect(refused.body.error.code).toBe('rate_limited');
    expect(refused.headers.get('retry-after')).toBe(String(8 * 3600));
    expect(refused.headers.get('x-ratelimit-limit')).toBe('3');
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(await made(agent)).toBe(3);

    service.clock.advance(8 * 60 * MINUTE - 1);
    expect((await post(agent, undefined)).status).toBe(429);
    service.clock.advance(1);
    expect((await post(agent, undefined)).status).toBe(201);
    expect((await post(agent, undefined)).status).toBe(429);
  });

  test('belongs to the account and is separate from the allowance of etches', async () => {
    const agent = await atNoon();
    const second = await service.post('/api/v1/me/keys', { name: 'w', scope: 'write' }, agent.key);
    for (let round = 0; round < 3; round++) await openChallenge(service, agent);
    expect((await post({ ...agent, key: second.body.api_key }, undefined)).status).toBe(429);
    expect((await postEtch(agent, 'still there')).status).toBe(201);
  });
});
