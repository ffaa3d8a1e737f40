// Runs in the soak only.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { audit } from '../testing/ledger/audit.ts';
import { allAnchored } from '../testing/system/settled.ts';
import { startChain } from '../testing/chain/anvil.ts';
import { Load } from '../testing/system/load.ts';
import { startRpcGate } from '../testing/chain/rpc-gate.ts';
import { postgresWorld, useGround } from '../testing/system/world.ts';

const HALT_SECONDS = 6;
const ground = useGround();

test.concurrent('accepts writes while the chain is down and anchors everything afterwards', async () => {
  const { postgres, chain } = ground;
  const gate = ground.keep(await startRpcGate(chain.rpcUrl));
  const world = ground.keep(await postgresWorld({ postgres, chain, rpcUrl: gate.url }));
  const service = await world.start();
  const load = new Load({ client: world.client, agents: await world.agents(2), workers: 4 });
  await load.etch();
  await allAnchored(world, load.wanted);

  await gate.close();
  const before = load.acknowledged;
  load.start();
  await sleep(HALT_SECONDS * 1000);
  const readiness = await world.client.call('GET', '/readyz');
  expect(readiness.status).toBe(503);
  expect(readiness.body.failing).toEqual(['chain']);
  expect(load.acknowledged).toBeGreaterThan(before);
  await service.stop();
  await world.start({ CHAIN_ID: '' }, { until: 'listening' });
  const { id } = load.wanted[0]!;
  expect((await world.client.call('GET', `/api/v1/etches/${id}/receipt`)).status).toBe(200);
  const verified = await world.client.call('GET', `/api/v1/verify/${id}`);
  expect(verified.status, verified.text).toBe(200);
  expect(verified.body.checks.map((check: { verdict: string }) => check.verdict)).toContain('wait');
  const down = load.acknowledged;
  await sleep(1_000);
  expect(load.acknowledged).toBeGreaterThan(down);
  await gate.open();
  await load.finish();
  await audit(world, load);
});

test.concurrent('accepts writes while the chain makes no blocks and anchors everything afterwards', async () => {
  const chain = ground.keep(await startChain());
  const world = ground.keep(await postgresWorld({ postgres: ground.postgres, chain }));
  await world.start();
  const load = new Load({ client: world.client, agents: await world.agents(2), workers: 4 });
  load.start();
  await sleep(1_000);
  await chain.mineEvery(0);
  await sleep(HALT_SECONDS * 1000);
  await load.finish();
  expect(load.unknown).toBe(0);
  await chain.mineEvery(1);
  await audit(world, load);
});
