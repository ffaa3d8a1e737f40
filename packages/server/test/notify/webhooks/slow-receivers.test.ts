import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, expect, test } from 'vitest';
import { runOpenssl } from '../../../../../testing/authority/certificates.ts';
import type { TestAgent } from '../../../../../testing/clients/agents.ts';
import { newFolder } from '../../../../../testing/machine/folder.ts';
import { useService } from '../../../../../testing/service/service.ts';
import { eventually } from '../../../../../testing/wait.ts';
import { startTlsServer } from '../../fixtures/tls-server.ts';

const HOSTS = Array.from({ length: 31 }, (_, at) => `r${at}.example.org`);
const received: string[] = [];
let hold: (host: string) => Promise<unknown> | undefined = () => undefined;
let close = (): void => undefined;
afterAll(() => close());
afterEach(() => {
  received.length = 0;
  hold = () => undefined;
  service.clock.release();
});

const service = useService(async () => {
  const folder = newFolder('receivers');
  const subject = ['-subj', '/CN=receivers', '-addext', `subjectAltName=DNS:*.example.org`];
  const kind = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30'.split(' ');
  const files = ['-keyout', 'key.pem', '-out', 'certificate.pem'];
  await runOpenssl(folder, ['req', '-x509', ...kind, ...subject, ...files]);
  const [ca, key] = ['certificate.pem', 'key.pem'].map((name) => readFileSync(join(folder, name), 'utf8'));
  const answer: Parameters<typeof startTlsServer>[0] = (request, response) => {
    const host = request.headers.host!;
    received.push(host);
    request.resume().on('end', () => void Promise.resolve(hold(host)).then(() => response.end()));
  };
  const server = await startTlsServer(answer, { cert: ca!, key: key! });
  close = server.close;
  return {
    settings: {
      DOMAIN_CHECK_TEST_HOSTS: HOSTS.map((host) => `${host}=127.0.0.1:${server.port}`).join(','),
      TEST_LIMIT_WEBHOOKS_PER_ACCOUNT: '6',
      LIMIT_REGISTRATIONS_PER_HOUR: '1000',
    },
    // A busy machine must not count as a failing receiver.
    domainCheck: { ca: ca!, timeoutMs: 120_000 },
  };
});

async function add(host: string, agent?: TestAgent): Promise<{ agent: TestAgent; id: string }> {
  const owner = agent ?? (await service.registerAgent());
  const body = { url: `https://${host}/` };
  const { webhook } = (await service.post('/api/v1/me/webhooks', body, owner)).body;
  return { agent: owner, id: webhook.id };
}
async function happen(agent: TestAgent): Promise<void> {
  await service.retract(agent, (await service.etch(agent)).id);
}
/** Receivers that it holds answer when the returned function runs. */
function holdThose(isHeld: (host: string) => boolean): () => void {
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  hold = (host) => (isHeld(host) ? held : undefined);
  return letGo;
}
const deliveries = async ({ agent, id }: { agent: TestAgent; id: string }): Promise<any[]> =>
  (await service.get(`/api/v1/me/webhooks/${id}/deliveries`, agent)).body.deliveries;
const deliver = () => service.runTask('webhooks');

test('thirty slow receivers do not delay a fast one', async () => {
  const [promptHost, ...slowHosts] = HOSTS;
  const prompt = await add(promptHost!);
  await happen(prompt.agent);
  await service.runTask('events');
  await deliver();
  const slow = [];
  for (const host of slowHosts) slow.push(await add(host));
  for (const { agent } of slow) await happen(agent);
  await service.runTask('events');
  const letGo = holdThose((host) => host !== promptHost);
  const running = deliver();
  await eventually('four new receivers are sent to', () => received.length >= 5);
  await happen(prompt.agent);
  await service.runTask('events');
  await eventually('the prompt one has its event', async () =>
    (await deliveries(prompt)).every(({ state }) => state === 'delivered'),
  );
  for (const one of slow) expect(await deliveries(one)).toMatchObject([{ state: 'pending', attempts: 0 }]);
  letGo();
  await running;
}, 300_000);

test('a late answer counts as delivered, and pauses the receiver like a failure', async () => {
  const hook = await add(HOSTS[1]!);
  for (let time = 0; time < 2; time++) await happen(hook.agent);
  await service.runTask('events');
  service.clock.set(service.at(0));
  hold = () => sleep(3_100);
  await deliver();
  expect(received).toHaveLength(1);
  const [second, first] = await deliveries(hook);
  expect(first).toMatchObject({ state: 'delivered', attempts: 1, last_status: 200, problem: null });
  expect(second).toMatchObject({ state: 'pending', attempts: 0 });
  hold = () => undefined;
  await deliver();
  expect(received).toHaveLength(1);
  service.clock.advance(2_000);
  await deliver();
  expect(received).toHaveLength(2);
  const { webhooks } = (await service.get('/api/v1/me/webhooks', hook.agent)).body;
  expect(webhooks[0]).toMatchObject({ failing_since: null, disabled_at: null });
});

test('an account has at most two concurrent turns, and a host four', async () => {
  const one = await service.registerAgent();
  for (let time = 0; time < 3; time++) await add(HOSTS[2 + time]!, one);
  await happen(one);
  const others = [];
  for (let time = 0; time < 6; time++) others.push(await add(HOSTS[9]!));
  const letGo = holdThose(() => true);
  await service.runTask('events');
  const running = deliver();
  await eventually('two are sent to', () => received.length === 2);
  for (const { agent } of others) await happen(agent);
  await service.runTask('events');
  await eventually('so are others', () => received.length > 2 && received.includes(HOSTS[9]!));
  await eventually('four of the host', () => received.filter((host) => host === HOSTS[9]).length === 4);
  await sleep(1_500);
  expect(received).toHaveLength(6);
  letGo();
  await running;
  expect(received.filter((host) => host !== HOSTS[9])).toHaveLength(3);
  expect(received.filter((host) => host === HOSTS[9])).toHaveLength(6);
}, 120_000);
