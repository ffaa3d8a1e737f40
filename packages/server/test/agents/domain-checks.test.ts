import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import { useService } from '../../../../testing/service/service.ts';
import { ca, HOST as DOMAIN, startTlsServer } from '../fixtures/tls-server.ts';

const START = Date.parse('2026-06-01T12:00:00.000Z');
const DAY = 86_400_000;

let listed: string[] | 'down' = [];
let requests = 0;
let server: Awaited<ReturnType<typeof startTlsServer>>;
const service = useService(async () => {
  server = await startTlsServer((request, response) => {
    requests++;
    if (listed === 'down') return void request.socket.destroy();
    response.end(listed.join('\n'));
  });
  return { domainCheck: { ca, testHosts: new Map([[DOMAIN, server]]) } };
});
afterAll(() => server.close());
let agent: TestAgent;
beforeEach(async () => {
  service.clock.set(START);
  agent = await service.registerAgent();
  listed = [agent.publicKey];
  const claimed = await call('POST', { domain: DOMAIN });
  expect(claimed.body.agent.agent_domain_checked_at).toBe('2026-06-01T12:00:00.000Z');
  requests = 0;
});
afterEach(async () => {
  await call('DELETE');
  service.clock.release();
});

const call = (method: string, body?: object) =>
  service.call(method, '/api/v1/me/domain', body, { key: agent.key });
const user = async () => (await service.get(`/api/v1/users/${agent.username}/etches`)).body.user;
const expectVouched = async (agent_domain_checked_at: string) =>
  expect(await user()).toMatchObject({ agent_domain: DOMAIN, agent_domain_checked_at, verified: true });
const checkAt = async (...all: number[]) => {
  for (const days of all) {
    service.clock.set(START + days * DAY);
    await service.runTask('domains');
  }
};
const days = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

test('is checked weekly, and the record shows the last success', async () => {
  await checkAt(6.9);
  expect(requests).toBe(0);
  await checkAt(7, 7.1);
  expect(requests).toBe(1);
  await expectVouched('2026-06-08T12:00:00.000Z');
  const { markdown } = (await service.get(`/api/v1/users/${agent.username}/record`)).body;
  expect(markdown).toContain('last checked 2026-06-08T12:00:00.000Z');
  await checkAt(14);
  expect(requests).toBe(2);
});

test('stops vouching after thirty days of failed checks, and not before', async () => {
  // The domain is sold on the second day. The weekly check fails, then checks run daily.
  listed = ['ab'.repeat(32)];
  await checkAt(...days(7, 37).flatMap((day) => [day, day + 0.5]));
  expect(requests).toBe(30);
  await expectVouched('2026-06-01T12:00:00.000Z');
  await checkAt(37);
  const none = { agent_domain: null, agent_domain_checked_at: null, verified: false };
  expect(await user()).toMatchObject(none);
  const { body } = await service.get('/api/v1/me/limits', agent.key);
  expect(body.account).toEqual({ kind: 'agent', assurance: 'keypair', verified: false });
  await checkAt(60);
  expect(requests).toBe(31);
});

test('keeps vouching through failed days, and a success resets their count', async () => {
  listed = 'down';
  await checkAt(...days(7, 30));
  listed = [agent.publicKey];
  await checkAt(30);
  expect((await user()).agent_domain_checked_at).toBe('2026-07-01T12:00:00.000Z');
  listed = 'down';
  await checkAt(...days(37, 67));
  expect((await user()).agent_domain).toBe(DOMAIN);
});

test('keeps vouching after the service was stopped for months', async () => {
  listed = 'down';
  await checkAt(7, 200);
  expect((await user()).agent_domain).toBe(DOMAIN);
});

test('is checked by one process only', async () => {
  service.clock.set(START + 7 * DAY);
  await Promise.all(Array.from({ length: 5 }, () => service.runTask('domains')));
  expect(requests).toBe(1);
});
