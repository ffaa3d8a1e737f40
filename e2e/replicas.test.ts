// Runs in the soak only.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { audit } from '../testing/ledger/audit.ts';
import { Client } from '../testing/clients/client.ts';
import { newFolder } from '../testing/machine/folder.ts';
import { lastingPort } from '../testing/machine/free-port.ts';
import { Load } from '../testing/system/load.ts';
import { rounds } from '../testing/rounds.ts';
import type { ServiceProcess } from '../testing/system/service-process.ts';
import { eventually } from '../testing/wait.ts';
import { postgresWorld, type Settings, useGround, type World } from '../testing/system/world.ts';

const STOPPED_SECONDS = rounds(25, 60);
const ground = useGround();

interface Replicas {
  world: World;
  processes: ServiceProcess[];
  client: Client;
}

async function startReplicas(count: number, settings: Settings = {}): Promise<Replicas> {
  const { postgres, chain } = ground;
  const world = ground.keep(await postgresWorld({ postgres, chain }, settings));
  const others = Array.from({ length: count - 1 }, async () =>
    world.start({ PORT: String(await lastingPort()), DATA_DIR: newFolder('data'), BASE_URL: world.url }),
  );
  const processes = await Promise.all(others);
  processes.push(await world.start());
  let turn = 0;
  return { world, processes, client: new Client(() => processes[turn++ % count]!.url) };
}

async function stopOthers({ world, processes }: Replicas): Promise<void> {
  for (const process of processes) {
    if (process !== world.service) expect(await process.stop()).toEqual({ code: 0, signal: null });
  }
}

const folds = (process: ServiceProcess): number =>
  process.output().split('"msg":"anchoring: staged"').length - 1;

test.concurrent('another process takes over from a stopped leader, which does no harm when it wakes', async () => {
  const replicas = await startReplicas(3);
  const { world, processes, client } = replicas;
  const load = new Load({
    client,
    agents: await world.agents(3),
    workers: 6,
    restMs: 100,
    timeoutMs: 3_000,
  });
  load.start();
  await eventually('one leads', () => processes.some((process) => folds(process) > 2));
  const leader = processes.toSorted((a, b) => folds(b) - folds(a))[0]!;
  const before = new Map(processes.map((process) => [process, folds(process)]));
  leader.signal('SIGSTOP');
  const stoppedAt = performance.now();
  await eventually(
    'another one leads',
    () => processes.some((process) => process !== leader && folds(process) > before.get(process)!),
    { seconds: 3 * STOPPED_SECONDS },
  );
  const tookOverAfter = performance.now() - stoppedAt;
  console.log(`takeover after ${(tookOverAfter / 1000).toFixed(1)} s`);
  expect(tookOverAfter).toBeLessThan(15_000);
  await sleep(Math.max(0, STOPPED_SECONDS * 1000 - tookOverAfter));
  leader.signal('SIGCONT');
  await sleep(3_000);
  await load.finish();
  await stopOthers(replicas);
  await audit(world, load);
});

test.concurrent('two processes anchor each etch once', async () => {
  const replicas = await startReplicas(2);
  const { world, processes, client } = replicas;
  const load = new Load({ client, agents: await world.agents(4) });
  load.start();
  for (let time = 0; time < rounds(2, 40); time++) {
    const leader = processes.toSorted((a, b) => folds(b) - folds(a))[0]!;
    const at = processes.indexOf(leader);
    const { port } = new URL(leader.url);
    await sleep(1_000);
    await leader.stop();
    processes[at] = await world.start({ PORT: port, DATA_DIR: newFolder('data'), BASE_URL: world.url });
  }
  await load.finish();
  for (const process of processes) if (process !== world.service) await process.stop();
  await world.service.stop();
  await world.start();
  await audit(world, load);
});

test.concurrent('rejects a key at all three processes as soon as one revokes it', async () => {
  const { world, processes, client } = await startReplicas(3);
  const [agent] = await world.agents(1);
  for (let time = 0; time < rounds(2, 60); time++) {
    const issued = await client.call('POST', '/api/v1/me/keys', {
      key: agent!.key,
      body: { name: `key ${time}`, scope: 'write' },
    });
    const { key, api_key: value } = issued.body;
    const ask = () =>
      Promise.all(
        processes.flatMap(({ url }) => {
          const one = new Client(() => url);
          return [
            one.call('GET', '/api/v1/me', { key: value }),
            one.call('GET', '/api/v1/challenges', { key: value }),
          ];
        }),
      );
    expect((await ask()).map(({ status }) => status)).toEqual(Array(6).fill(200));
    const revoked = await client.call('DELETE', `/api/v1/me/keys/${key.id}`, { key: agent!.key });
    expect(revoked.status).toBe(200);
    expect((await ask()).map(({ status }) => status)).toEqual(Array(6).fill(401));
  }
});
