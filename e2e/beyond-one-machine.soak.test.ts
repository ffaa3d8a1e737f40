import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { registerAgent, type TestAgent } from '../testing/clients/agents.ts';
import { audit } from '../testing/ledger/audit.ts';
import { allAnchored } from '../testing/system/settled.ts';
import { Client } from '../testing/clients/client.ts';
import { newFolder } from '../testing/machine/folder.ts';
import { lastingPort } from '../testing/machine/free-port.ts';
import { Load, type Wanted } from '../testing/system/load.ts';
import { startNginx } from '../testing/machine/nginx.ts';
import { startPair } from '../testing/database/pair.ts';
import { startCluster } from '../testing/patroni/cluster.ts';
import { startRedis } from '../testing/machine/redis.ts';
import { type ServiceProcess, whenReady } from '../testing/system/service-process.ts';
import { eventually } from '../testing/wait.ts';
import { postgresWorld, useGround } from '../testing/system/world.ts';

// Three processes behind nginx, Redis, and three machines with PostgreSQL under Patroni and etcd, each behind
// PgBouncer in transaction mode. PostgreSQL is killed, then a whole machine.
const ground = useGround({ postgres: false });
const SECONDS = 20;

test('recovers from the loss of the leader under load without losing an acknowledged write', async () => {
  const cluster = ground.keep(await startCluster());
  const redis = ground.keep(await startRedis());
  const front = await lastingPort();
  const world = ground.keep(
    await postgresWorld(
      { chain: ground.chain, databaseUrl: `${cluster.databaseUrl}?pooler=transaction` },
      {
        BASE_URL: `http://127.0.0.1:${front}`,
        REDIS_URL: redis.url,
        TRUST_PROXY: 'loopback',
        LOG_LEVEL: 'info',
      },
    ),
  );
  const ports = [await lastingPort(), await lastingPort(), Number(new URL(world.url).port)];
  const processes: ServiceProcess[] = [];
  for (const port of ports)
    processes.push(await world.start({ PORT: String(port), DATA_DIR: newFolder('data') }));
  const nginx = ground.keep(await startNginx(front, ports));
  const pids = processes.map(({ pid }) => pid);

  const client = new Client(nginx.url);
  const load = new Load({ client, agents: await register(client, 8), workers: 16, restMs: 30 });
  const lines: string[] = [];
  const report = (line: string): void => void lines.push(line);
  load.start();
  await sleep(SECONDS * 1000);
  report(`${load.acknowledged} etches acknowledged in ${SECONDS} s before anything was lost`);

  const first = await cluster.leader();
  const lost = { load, processes, report };
  expect(await lose('PostgreSQL was killed', lost, () => first.killPostgres())).toBeLessThan(20);
  await cluster.inSync();
  await sleep(SECONDS * 1000);

  const second = await cluster.leader();
  expect(await lose('a machine was lost', lost, () => second.kill())).toBeLessThan(40);
  const third = await cluster.leader();
  expect(third).not.toBe(second);
  second.start();
  await eventually('the machine follows again', () => second.follows());
  await sleep(SECONDS * 1000);

  expect(await lose('the next machine was lost', lost, () => third.kill())).toBeLessThan(40);
  await sleep(SECONDS * 1000);
  await load.finish();

  expect(processes.map((process) => process.isRunning() && process.pid)).toEqual(pids);
  expect(load.unknown).toBeGreaterThan(0);
  await allAnchored(world, load.wanted);
  expect(await differences(client, load.wanted)).toEqual([]);
  for (const process of processes)
    if (process !== world.service) expect(await process.stop()).toEqual({ code: 0, signal: null });
  const { etches, trees } = await audit(world, load);
  report(`${etches} acknowledged etches, 0 lost, 0 doubled, each read back with the hash of its 201`);
  report(
    `${load.unknown} requests had no answer or 503; ${load.replays} of the etches sent again were there already`,
  );
  report(`${trees} attestations on the chain, each root once, all in the database; 0 processes restarted`);
  console.log(lines.map((line) => `  ${line}`).join('\n'));
});

test('nginx with deploy/nginx-replicas.conf passes addresses, bodies and streams on', async () => {
  const redis = ground.keep(await startRedis());
  const pair = ground.keep(await startPair());
  const front = await lastingPort();
  const world = ground.keep(
    await postgresWorld(
      { chain: ground.chain, databaseUrl: pair.databaseUrl },
      {
        BASE_URL: `http://127.0.0.1:${front}`,
        REDIS_URL: redis.url,
        TRUST_PROXY: 'loopback',
        LIMIT_REGISTRATIONS_PER_HOUR: '3',
      },
    ),
  );
  await world.start();
  const nginx = ground.keep(await startNginx(front, [Number(new URL(world.url).port)]));
  const client = new Client(nginx.url);

  // A client's own X-Forwarded-For is ignored.
  const agents = await register(client, 3, (at) => ({ 'x-forwarded-for': `203.0.113.${at}` }));
  await expect(register(client, 1, () => ({ 'x-forwarded-for': '198.51.100.1' }))).rejects.toThrow('429');
  await register(new Client(world.service.url), 1, () => ({ 'x-forwarded-for': '198.51.100.1' }));

  const [agent] = agents;
  const send = (length: number) =>
    client.call('POST', '/api/v1/etches', { key: agent!.key, body: { content: 'x'.repeat(length) } });
  expect(await send(270_000)).toMatchObject({ status: 413, body: { error: { code: 'bad_request' } } });
  expect((await send(400_000)).status).toBe(413);
  expect((await client.call('GET', '/metrics')).status).toBe(403);
  expect((await client.call('GET', '/readyz')).status).toBe(200);

  const load = new Load({ client, agents });
  const { id } = await load.etch({ mode: 'instant', reveal_at: null });
  const answer = await fetch(`${nginx.url}/e/${id}/events`, { headers: { accept: 'text/event-stream' } });
  expect(answer.headers.get('content-type')).toContain('text/event-stream');
  const reader = answer.body!.getReader();
  let heard = '';
  await eventually('the first event comes', async () => {
    heard += new TextDecoder().decode((await reader.read()).value);
    return heard.includes('event: state');
  });
  await reader.cancel();
});

/** Returns the seconds until an etch was acknowledged again. */
async function lose(
  what: string,
  { load, processes, report }: { load: Load; processes: ServiceProcess[]; report: (line: string) => void },
  act: () => Promise<void>,
): Promise<number> {
  const unknown = load.unknown;
  await act();
  const lostAt = performance.now();
  const since = (): number => (performance.now() - lostAt) / 1000;
  // Requests in flight at the loss may still arrive.
  await sleep(500);
  const before = load.acknowledged;
  await eventually('an etch is acknowledged again', () => load.acknowledged > before);
  const again = since();
  await Promise.all(processes.map((process) => whenReady(process)));
  report(
    `${what}: acknowledged again after ${again.toFixed(1)} s, all processes ready after ${since().toFixed(1)} s, ` +
      `${load.unknown - unknown} requests to be sent again`,
  );
  return again;
}

const register = (
  client: Client,
  count: number,
  headers: (at: number) => Record<string, string> = () => ({}),
): Promise<TestAgent[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => registerAgent(client, { headers: headers(at) })));

async function differences(client: Client, wanted: readonly Wanted[]): Promise<string[]> {
  const faults: string[] = [];
  for (const { id, hash } of wanted) {
    const reply = await client.call('GET', `/api/v1/etches/${id}`);
    if (reply.status !== 200 || reply.body.etch.hash !== hash) faults.push(`${id}: ${reply.status}`);
  }
  return faults;
}
