import sql from 'sql-template-tag';
import { afterEach, describe, expect, test } from 'vitest';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import { useService } from '../../../../testing/service/service.ts';
import { compareHidden, tidyGuesses } from '../../src/accounts/guess-store.ts';
import type { BoundKey, KeyedRequest } from '../../src/accounts/idempotency-store.ts';
import { createKeyring } from '../../src/platform/secrets/keyring.ts';

const HOUR = 3_600_000;
const service = useService();
afterEach(() => service.clock.release());

const bodyOf = (content: string, revealIn = HOUR) => ({
  content,
  description: 'a guess',
  category_id: 'science',
  mode: 'delayed',
  reveal_at: new Date(Math.floor(service.clock.now() / 1000) * 1000 + revealIn).toISOString(),
});
const post = (agent: TestAgent, body: object) =>
  service.post('/api/v1/etches', body, { key: agent.key, headers: { 'Idempotency-Key': 'one' } });
const retract = (agent: TestAgent, id: string) => service.retract(agent, id);
const postPatiently = async (agent: TestAgent, body: object): ReturnType<typeof post> => {
  const answer = await post(agent, body);
  return answer.status === 503 ? postPatiently(agent, body) : answer;
};
const statusesOf = async (agent: TestAgent, body: object, count: number) => {
  const guesses = Array.from({ length: count }, (_, at) => ({ ...body, content: `guess ${at}` }));
  const answers = await Promise.all(guesses.map((guess) => postPatiently(agent, guess)));
  return answers.map(({ status }) => status).sort();
};
const fingerprintOf = ({ userId }: TestAgent) =>
  service.db.value<Buffer>(sql`select fingerprint from idempotency where user_id = ${userId}`);
const guessesOf = ({ userId }: TestAgent) =>
  service.db.countRows(sql`select 1 from idempotency_guess where user_id = ${userId}`);

describe('the Idempotency-Key of a hidden text', () => {
  test.each(['sealed', 'retracted'])(
    'returns 409 for ten other requests an hour, then 429, and always replays the same request (%s)',
    async (state) => {
      const agent = await service.registerAgent();
      const body = bodyOf('the text');
      const { etch } = (await post(agent, body)).body;
      if (state === 'retracted') expect((await retract(agent, etch.id)).status).toBe(200);
      expect((await post(agent, body)).status).toBe(201);

      const statuses = await statusesOf(agent, body, 13);
      expect(statuses).toEqual([...Array<number>(10).fill(409), ...Array<number>(3).fill(429)]);
      const right = await post(agent, body);
      expect(right.status).toBe(201);
      expect(right.headers.get('idempotent-replay')).toBe('true');
      expect(right.body.etch.id).toBe(etch.id);

      const eleventh = await post(agent, { ...body, content: 'another guess' });
      expect(eleventh.status).toBe(429);
      expect(Number(eleventh.headers.get('retry-after'))).toBeGreaterThan(3_500);
      service.clock.advance(HOUR + 1_000);
      expect((await post(agent, body)).status).toBe(201);
    },
  );

  test('replays many parallel retries after a retraction', async () => {
    const agent = await service.registerAgent();
    const body = bodyOf('sent again and again');
    const { etch } = (await post(agent, body)).body;
    await retract(agent, etch.id);
    const replays = await Promise.all(Array.from({ length: 15 }, () => postPatiently(agent, body)));
    expect(replays.map(({ status }) => status)).toEqual(Array<number>(15).fill(201));
    expect(new Set(replays.map((replay) => replay.body.etch.id))).toEqual(new Set([etch.id]));
    expect(await guessesOf(agent)).toBe(0);
  });

  test('counts no guess when the comparison fails', async () => {
    const agent = await service.registerAgent();
    const body = bodyOf('the process dies');
    const { etch } = (await post(agent, body)).body;
    await retract(agent, etch.id);
    const bound = await service.db.one<BoundKey>(
      sql`select user_id, key, endpoint, record_id, fingerprint from idempotency where user_id = ${agent.userId}`,
    );
    const macs = () => {
      throw new Error('the process died');
    };
    const dying = { ...createKeyring([Buffer.alloc(32, 1)]), macs };
    const keyed: KeyedRequest = { userId: agent.userId, key: 'one', endpoint: 'POST /etches', request: '[]' };
    await expect(
      compareHidden({ ...service, keyring: dying, countReplay: async () => {} }, keyed, bound),
    ).rejects.toThrow('the process died');
    expect(await guessesOf(agent)).toBe(0);
  });

  test('has no limit of comparisons when the text is public', async () => {
    const agent = await service.registerAgent();
    const body = bodyOf('public soon', 400_000);
    await post(agent, body);
    service.clock.advance(500_000);
    expect(await statusesOf(agent, body, 12)).toEqual(Array<number>(12).fill(409));
    expect((await post(agent, body)).status).toBe(201);
  });
});

describe('a retraction', () => {
  test('makes the fingerprint expensive to guess and keeps the replay', async () => {
    const agent = await service.registerAgent();
    const body = bodyOf('to be erased');
    const { etch } = (await post(agent, body)).body;
    const fast = await fingerprintOf(agent);
    await retract(agent, etch.id);
    const hard = await fingerprintOf(agent);
    expect(hard).toHaveLength(49);
    expect(hard.includes(fast)).toBe(false);
    const replay = await post(agent, body);
    expect(replay.status).toBe(201);
    expect(replay.body.etch.status).toBe('retracted');
    expect((await post(agent, { ...body, content: 'to be erased!' })).status).toBe(409);
  });

  test('that is older than this rule gets an expensive fingerprint later', async () => {
    const agent = await service.registerAgent();
    const body = bodyOf('retracted long ago');
    const { etch } = (await post(agent, body)).body;
    const fast = await fingerprintOf(agent);
    await retract(agent, etch.id);
    await service.db.query(sql`update idempotency set fingerprint = ${fast} where user_id = ${agent.userId}`);
    await tidyGuesses(service.db, service.clock.now());
    expect(await fingerprintOf(agent)).toHaveLength(49);
    expect((await post(agent, body)).status).toBe(201);
  });
});
