import { randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import { useService } from '../../../../testing/service/service.ts';

const service = useService();
const limited = useService({ settings: { LIMIT_KEY_PER_MINUTE: '3' } });
const bodyOf = (content: string) => ({
  content,
  description: 'a guess',
  category_id: 'science',
  mode: 'instant',
});
const post = (agent: Pick<TestAgent, 'key'>, content: string, key: string) =>
  service.post('/api/v1/etches', bodyOf(content), { key: agent.key, headers: { 'Idempotency-Key': key } });

/** Binds `count` keys to one erased etch, each with a hardened fingerprint, without the cost of hardening each. */
async function eraseWithKeys(agent: TestAgent, count: number): Promise<string[]> {
  const { etch } = (await post(agent, 'the text', 'first')).body;
  expect((await service.retract(agent, etch.id)).status).toBe(200);
  const keys = Array.from({ length: count }, (_, index) => `key ${index}`);
  const hard = Buffer.concat([Buffer.from([1]), randomBytes(48)]);
  await service.db.query(sql`
    insert into idempotency (user_id, key, endpoint, record_id, fingerprint)
    select ${agent.userId}, key, 'POST /etches', ${etch.id}, ${hard} from unnest(${keys}::text[]) as k (key)`);
  return keys;
}

describe('many replays of erased etches by one account', () => {
  test('delay neither a retraction nor a replay of another account', async () => {
    const [storming, other] = await service.agents(2);
    const keys = await eraseWithKeys(storming, 24);
    const [{ etch: erased }, { etch }] = [
      (await post(other, 'erased before', 'one')).body,
      (await post(other, 'to be erased', 'two')).body,
    ];
    await service.retract(other, erased.id);

    let done = 0;
    const replays = keys.map((key) =>
      post(storming, 'another text', key).then((answer) => {
        done++;
        return answer.status;
      }),
    );
    await Promise.race(replays);
    const [retraction, replay] = await Promise.all([
      service.retract(other, etch.id),
      post(other, 'erased before', 'one'),
    ]);
    expect(done).toBeLessThan(keys.length / 2);
    expect(retraction.status).toBe(200);
    expect(replay.headers.get('idempotent-replay')).toBe('true');
    // A replay that waited too long for its turn on a busy machine returns 503.
    for (const status of await Promise.all(replays)) expect([409, 503]).toContain(status);
  });

  test('are counted per account, for sessions too', async () => {
    const ada = await limited.signIn('ada');
    const etch = await limited.etch(ada);
    await limited.retract(ada, etch.id);
    const hard = Buffer.concat([Buffer.from([1]), randomBytes(48)]);
    await limited.db.query(sql`
      insert into idempotency (user_id, key, endpoint, record_id, fingerprint)
      values (${ada.userId}, 'one', 'POST /etches', ${etch.id}, ${hard})`);
    const guess = () =>
      limited.post('/api/v1/etches', bodyOf('a guess'), {
        key: ada.key,
        headers: { 'Idempotency-Key': 'one' },
      });
    for (let count = 0; count < 3; count++) expect((await guess()).status).toBe(409);

    const fourth = await guess();
    expect(fourth.status).toBe(429);
    expect(Number(fourth.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(fourth.body.error.message).toMatch(
      /^too many replays of erased etches by this account: at most 3 /,
    );
  });
});
