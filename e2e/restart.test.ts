// Runs in the soak only.
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { audit } from '../testing/ledger/audit.ts';
import { Client } from '../testing/clients/client.ts';
import { Load } from '../testing/system/load.ts';
import { rounds } from '../testing/rounds.ts';
import { eventually } from '../testing/wait.ts';
import { embeddedWorld, postgresWorld, useGround, type World } from '../testing/system/world.ts';

const TIMES = rounds(1, 50);
const CONNECTIONS = 16;
const ground = useGround();

async function askUntilClosed(
  world: World,
  load: Load,
  state: { open: number; stopped: boolean },
): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const client = new Client(world.url, agent);
  const failed: string[] = [];
  const first = load.wanted[0]!;
  try {
    for (let at = 0; ; at++) {
      const call =
        at % 2 === 0
          ? client.call('GET', `/api/v1/etches/${first.id}`)
          : client.call('POST', '/api/v1/etches', {
              key: first.agent.key,
              body: first.body,
              headers: { 'idempotency-key': first.idempotencyKey },
            });
      const reply = await call.catch((error: NodeJS.ErrnoException) => error);
      if (reply instanceof Error) {
        failed.push(
          `request ${at} ${state.stopped ? 'after' : 'before'} the signal: ${reply.code ?? reply.message}`,
        );
        return failed;
      }
      if (![200, 201].includes(reply.status)) failed.push(`request ${at}: ${reply.status} ${reply.text}`);
      if (at === 0) state.open++;
      if (reply.headers.get('connection') === 'close') return failed;
    }
  } finally {
    agent.destroy();
  }
}

async function restartUnderLoad(world: World): Promise<void> {
  await world.start();
  const load = new Load({ client: world.client, agents: await world.agents(4) });
  await load.etch();
  load.start();
  for (let time = 0; time < TIMES; time++) {
    const { service } = world;
    const state = { open: 0, stopped: false };
    const connections = Array.from({ length: CONNECTIONS }, () => askUntilClosed(world, load, state));
    await eventually('all connections are open', () => state.open === CONNECTIONS);
    await sleep(Math.random() * 300);
    state.stopped = true;
    const exit = service.stop();
    expect((await Promise.all(connections)).flat()).toEqual([]);
    expect(await exit, service.output().slice(-2_000)).toEqual({ code: 0, signal: null });
    expect(service.log().filter(({ level }) => level >= 50)).toEqual([]);
    await world.start();
  }
  await load.finish();
  await audit(world, load);
}

test.concurrent(`${TIMES} restarts under load: everything embedded`, async () => {
  await restartUnderLoad(ground.keep(await embeddedWorld()));
});

test.concurrent(`${TIMES} restarts under load: PostgreSQL`, async () => {
  await restartUnderLoad(
    ground.keep(await postgresWorld({ postgres: ground.postgres, chain: ground.chain })),
  );
});
