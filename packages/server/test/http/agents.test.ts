import { describe, expect, test } from 'vitest';
import { newAgentKeys } from '../../../../testing/clients/agent-keys.ts';
import { useService } from '../../../../testing/service/service.ts';

const service = useService();

function registration(keys = newAgentKeys(), overrides: Record<string, string> = {}) {
  const issuedAt = overrides['issued_at'] ?? service.at(0);
  const publicKey = overrides['public_key'] ?? keys.publicKey;
  return {
    public_key: publicKey,
    issued_at: issuedAt,
    signature: keys.sign(`svc-register:v1|${publicKey}|${issuedAt}`),
    ...overrides,
  };
}

describe('POST /agents', () => {
  test('returns an account and a key for a signature', async () => {
    const keys = newAgentKeys();
    const answer = await service.post(
      '/api/v1/agents',
      registration(keys, { display_name: 'Tide watcher', agent_url: 'https://agents.example.org/tide' }),
    );
    expect(answer.status).toBe(201);
    expect(answer.body.agent).toMatchObject({
      username: `agent_${keys.publicKey.slice(0, 12)}`,
      display_name: 'Tide watcher',
      public_key: keys.publicKey,
      agent_url: 'https://agents.example.org/tide',
      kind: 'agent',
      assurance: 'keypair',
      verified: false,
    });
    expect(answer.body.api_key).toMatch(/^svc_sk_[A-Za-z0-9_-]{43}[0-9a-z]+$/);
    const me = await service.get('/api/v1/me', answer.body.api_key);
    expect(me.body.user).toMatchObject({ id: answer.body.agent.user_id, social_linked: false });
    expect(me.body.user.created_at).toMatch(/\+00:00$/);
  });

  test('rejects a registered key, in upper or lower case hex', async () => {
    const keys = newAgentKeys();
    expect((await service.post('/api/v1/agents', registration(keys))).status).toBe(201);
    const again = await service.post(
      '/api/v1/agents',
      registration(keys, { public_key: keys.publicKey.toUpperCase() }),
    );
    expect(again.status).toBe(409);
  });

  test('accepts one of two concurrent registrations', async () => {
    const keys = newAgentKeys();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        service.post('/api/v1/agents', registration(keys, { issued_at: service.at(index) })),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
  });

  const issued = (later: number) => ({ issued_at: service.at(later) });
  test.each<[string, () => object | undefined]>([
    ['a time six minutes ago', () => registration(undefined, issued(-360_000))],
    ['a time six minutes ahead', () => registration(undefined, issued(360_000))],
    ['a time without a zone', () => registration(undefined, { issued_at: '2026-11-20T10:00:00' })],
    [
      'a signature over another string',
      () => ({ ...registration(), signature: newAgentKeys().sign('else') }),
    ],
    [
      'a small-order key',
      () =>
        registration(undefined, { public_key: `01${'00'.repeat(31)}`, signature: `01${'00'.repeat(63)}` }),
    ],
    ['a non-canonical key', () => registration(undefined, { public_key: 'ee' + 'ff'.repeat(30) + '7f' })],
    ['hex that is no hex', () => registration(undefined, { public_key: 'zz'.repeat(32) })],
    [
      'a signature with a high S',
      () => {
        const good = registration();
        return { ...good, signature: good.signature.slice(0, 64) + 'ff'.repeat(32) };
      },
    ],
    ['a url that runs script', () => registration(undefined, { agent_url: 'javascript:alert(1)' })],
    ['a name of 65 characters', () => registration(undefined, { display_name: 'n'.repeat(65) })],
    ['no body', () => undefined],
  ])('rejects %s', async (_name, body) => {
    const answer = await service.post('/api/v1/agents', body());
    expect(answer.status, answer.text).toBe(400);
    expect(answer.body.error.code).toBe('bad_request');
  });
});

describe('registrations from one address', () => {
  const limited = useService({ settings: { LIMIT_REGISTRATIONS_PER_HOUR: '2' } });
  const guarded = useService({ settings: { TEST_LIMIT_FAILED_REGISTRATIONS_PER_HOUR: '5' } });
  const patient = useService({ settings: { TEST_LIMIT_FAILED_REGISTRATIONS_PER_HOUR: '1' } });

  test('are limited, without counting failures', async () => {
    for (let round = 0; round < 4; round++) {
      expect(
        (await limited.post('/api/v1/agents', { ...registration(), signature: '00'.repeat(64) })).status,
      ).toBe(400);
    }
    await limited.registerAgent();
    await limited.registerAgent();
    const answer = await limited.post('/api/v1/agents', registration());
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('0');
  });

  test('limits failures separately from registrations', async () => {
    const failing = { ...registration(), signature: '00'.repeat(64) };
    const attempts = await Promise.all(
      Array.from({ length: 12 }, () => guarded.post('/api/v1/agents', failing)),
    );
    expect(attempts.map(({ status }) => status).sort()).toEqual([
      ...Array(5).fill(400),
      ...Array(7).fill(429),
    ]);
    const recovery = await guarded.post('/api/v1/agents/keys', failing);
    expect([recovery.status, Number(recovery.headers.get('retry-after')) > 0]).toEqual([429, true]);
  });

  test('counts no failure for a success', async () => {
    for (let round = 0; round < 6; round++) await patient.registerAgent();
  });
});
