import { describe, expect, test } from 'vitest';
import { signedBody } from '../../../../testing/clients/agent-keys.ts';
import { tablesWith } from '../../../../testing/database/tables-with.ts';
import { useService } from '../../../../testing/service/service.ts';

const service = useService({ settings: { TEST_LIMIT_KEYS_PER_ACCOUNT: '3' } });
const revoke = (id: string, key: string) =>
  service.call('DELETE', `/api/v1/me/keys/${id}`, undefined, { key });
const issue = async (key: string, scope?: string) =>
  (await service.post('/api/v1/me/keys', { name: 'another', ...(scope && { scope }) }, key)).body;

describe('API keys', () => {
  test('are shown once, listed by prefix, stored as a hash', async () => {
    const agent = await service.registerAgent();
    const { key, api_key: value } = await issue(agent.key);
    const shown = { name: 'another', scope: 'read', prefix: value.slice(0, 12), last_used_at: null };
    expect(key).toMatchObject(shown);
    const list = await service.get('/api/v1/me/keys', value);
    const names = list.body.keys.map((row: { name: string }) => row.name).sort();
    expect(names).toEqual(['another', 'registration']);
    expect(list.text).not.toContain(value);
    expect(await tablesWith(service.db, value.slice(12))).toEqual([]);
    expect(service.log.join('\n')).not.toContain(value.slice(12));
  });

  test('allow revoking themselves, but no other key, with the scope read', async () => {
    const agent = await service.registerAgent();
    const [{ key: own, api_key: read }, { key: other }] = [await issue(agent.key), await issue(agent.key)];
    for (const [id, status] of [
      [other.id, 403],
      [own.id, 200],
      [own.id, 401],
    ])
      expect((await revoke(id, read)).status).toBe(status);
  });

  test('are rejected once revoked, on public endpoints too, and stay in the list', async () => {
    const agent = await service.registerAgent();
    const { key, api_key: value } = await issue(agent.key, 'write');
    expect((await revoke(key.id, agent.key)).body.key.revoked_at).toMatch(/Z$/);
    expect((await service.get('/api/v1/me', value)).status).toBe(401);
    const open = await service.get(`/api/v1/etches/${crypto.randomUUID()}`, value);
    expect(open.status).toBe(401);
    expect(open.headers.get('www-authenticate')).toBe('Bearer');
    expect((await revoke(key.id, agent.key)).status).toBe(404);
    const list = await service.get('/api/v1/me/keys', agent.key);
    expect(list.body.keys.find((row: { id: string }) => row.id === key.id).revoked_at).not.toBeNull();
  });

  test('cannot be revoked by a different account', async () => {
    const [one, two] = await service.agents(2);
    const { key } = await issue(one.key);
    for (const id of [key.id, 'none']) expect((await revoke(id, two.key)).status).toBe(404);
  });

  test.each([
    '',
    'Bearer',
    'Basic abc',
    'Bearer svc_sk_short',
    `Bearer svc_sk_${'a'.repeat(43)}0000000`,
    'Bearer a.b.c',
    'Bearer x y',
  ])('returns 401 for the key "%s"', async (authorization) => {
    const answer = await service.get('/api/v1/me', { headers: { authorization } });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('record the time of the last use', async () => {
    const agent = await service.registerAgent();
    for (const used of [null, expect.stringMatching(/Z$/)]) {
      await service.runTask('key uses');
      const { body } = await service.get('/api/v1/me/keys', agent.key);
      expect(body.keys).toMatchObject([{ last_used_at: used }]);
    }
  });
});

describe('requests with a key', () => {
  const metered = useService({ settings: { LIMIT_KEY_PER_MINUTE: '5' } });

  test('count against a limit, errors and unknown paths included, with headers', async () => {
    const agent = await metered.registerAgent();
    const paths = ['me', 'nowhere', 'etches/none', 'me/limits', 'batches?limit=0'];
    for (const [index, path] of paths.entries()) {
      const answer = await metered.get(`/api/v1/${path}`, agent.key);
      expect(answer.headers.get('x-ratelimit-limit')).toBe('5');
      expect(answer.headers.get('x-ratelimit-remaining')).toBe(String(4 - index));
      expect(Number(answer.headers.get('x-ratelimit-reset'))).toBeGreaterThan(0);
    }
    const refused = await metered.get('/api/v1/me', agent.key);
    expect(refused.status).toBe(429);
    expect(refused.body.error.code).toBe('rate_limited');
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const other = await metered.registerAgent();
    expect((await metered.get('/api/v1/me', other.key)).status).toBe(200);
  });
});

describe('an account with the maximum number of keys', () => {
  test('gets no further key, concurrently either, until one is revoked; an agent without keys gets one', async () => {
    const agent = await service.registerAgent();
    const make = () => service.post('/api/v1/me/keys', { name: 'more', scope: 'write' }, agent.key);
    const answers = await Promise.all(Array.from({ length: 6 }, make));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)!.body.error.message).toContain('revoke one first');
    const made = answers.find(({ status }) => status === 201)!.body.key;
    await revoke(made.id, agent.key);
    expect((await make()).status).toBe(201);
    const lost = signedBody('svc-key:v1', service.at(0), agent);
    expect((await service.post('/api/v1/agents/keys', lost)).status).toBe(201);
  });
});
