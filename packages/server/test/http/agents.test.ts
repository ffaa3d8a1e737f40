import { describe, expect, test } from 'vitest';
import { newAgentKeys, signedBody } from '../../../../testing/clients/agent-keys.ts';
import { useService } from '../../../../testing/service/service.ts';

const service = useService();

function registration({ publicKey, sign } = newAgentKeys(), overrides: Record<string, string> = {}) {
  const keys = { publicKey: overrides['public_key'] ?? publicKey, sign };
  return { ...signedBody('svc-register:v1', overrides['issued_at'] ?? service.at(0), keys), ...overrides };
}

describe('POST /agents', () => {
  test('returns an account and a key for a signature', async () => {
    const keys = newAgentKeys();
    const names = { display_name: 'Tide watcher', agent_url: 'https://agents.example.org/tide' };
    const answer = await service.post('/api/v1/agents', registration(keys, names));
    expect(answer.status).toBe(201);
    expect(answer.body.agent).toMatchObject({
      ...names,
      username: `agent_${keys.publicKey.slice(0, 12)}`,
      public_key: keys.publicKey,
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
    const loud = registration(keys, { public_key: keys.publicKey.toUpperCase() });
    expect((await service.post('/api/v1/agents', loud)).status).toBe(409);
  });

  test('accepts one of two concurrent registrations', async () => {
    const keys = newAgentKeys();
    const attempts = Array.from({ length: 8 }, (_, at) => registration(keys, { issued_at: service.at(at) }));
    const answers = await Promise.all(attempts.map((body) => service.post('/api/v1/agents', body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  });

  const issued = (later: number) => () => registration(undefined, { issued_at: service.at(later) });
  const of = (changes: Record<string, string>) => () => registration(undefined, changes);
  const SMALL = { public_key: `01${'00'.repeat(31)}`, signature: `01${'00'.repeat(63)}` };
  const highS = ({ signature }: { signature: string }) => signature.slice(0, 64) + 'ff'.repeat(32);
  const signedElse = () => ({ ...registration(), signature: newAgentKeys().sign('else') });
  test.each<[string, () => object | undefined]>([
    ['a time six minutes ago', issued(-360_000)],
    ['a time six minutes ahead', issued(360_000)],
    ['a time without a zone', of({ issued_at: '2026-11-20T10:00:00' })],
    ['a signature over another string', signedElse],
    ['a small-order key', of(SMALL)],
    ['a non-canonical key', of({ public_key: 'ee' + 'ff'.repeat(30) + '7f' })],
    ['hex that is no hex', of({ public_key: 'zz'.repeat(32) })],
    ['a signature with a high S', () => ({ ...registration(), signature: highS(registration()) })],
    ['a url that runs script', of({ agent_url: 'javascript:alert(1)' })],
    ['a name of 65 characters', of({ display_name: 'n'.repeat(65) })],
    ['no body', () => undefined],
  ])('rejects %s', async (_name, body) => {
    const refused = { status: 400, body: { error: { code: 'bad_request' } } };
    expect(await service.post('/api/v1/agents', body())).toMatchObject(refused);
  });
});

describe('registrations from one address', () => {
  const settings = { TEST_LIMIT_FAILED_REGISTRATIONS_PER_HOUR: '5' };
  const limited = useService({ settings: { ...settings, LIMIT_REGISTRATIONS_PER_HOUR: '6' } });
  const guarded = useService({ settings });
  const failing = () => ({ ...registration(), signature: '00'.repeat(64) });

  test('are limited, without counting failures', async () => {
    for (let round = 0; round < 3; round++)
      expect((await limited.post('/api/v1/agents', failing())).status).toBe(400);
    // A success counts as no failure.
    for (let round = 0; round < 6; round++) await limited.registerAgent();
    const answer = await limited.post('/api/v1/agents', registration());
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('0');
  });

  const developers = useService({ settings: { LIMIT_REGISTRATIONS_PER_HOUR: '' } });
  const register = (headers: Record<string, string> = {}) =>
    developers.post('/api/v1/agents', registration(), { headers });
  test('have no limit for programs on the machine of a developer, and one behind a proxy', async () => {
    for (let round = 0; round < 12; round++) expect((await register()).status).toBe(201);
    for (const [proxied, at] of [
      [{ 'x-forwarded-for': '127.0.0.1' }, 1],
      [{ forwarded: 'for=127.0.0.1' }, 2],
      [{ host: 'svc.example.org' }, 3],
    ] as const)
      for (let round = 0; round < 4; round++)
        expect((await register(proxied)).status, JSON.stringify(proxied)).toBe(
          at * 4 - 4 + round < 10 ? 201 : 429,
        );
    expect((await register()).status).toBe(201);
  });

  test('limits failures separately from registrations', async () => {
    const attempts = await Promise.all(
      Array.from({ length: 12 }, () => guarded.post('/api/v1/agents', failing())),
    );
    const statuses = [...Array(5).fill(400), ...Array(7).fill(429)];
    expect(attempts.map(({ status }) => status).sort()).toEqual(statuses);
    const recovery = await guarded.post('/api/v1/agents/keys', failing());
    expect([recovery.status, Number(recovery.headers.get('retry-after')) > 0]).toEqual([429, true]);
  });
});
