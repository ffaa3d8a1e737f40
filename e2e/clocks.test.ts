// Runs in the soak only.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { audit } from '../testing/ledger/audit.ts';
import { startChain } from '../testing/chain/anvil.ts';
import { clockShift, clockThatJumps } from '../testing/system/clock-shift.ts';
import { Load } from '../testing/system/load.ts';
import { rounds } from '../testing/rounds.ts';
import { embeddedWorld, postgresWorld, useGround, type World } from '../testing/system/world.ts';

// The audit compares chain time with `created_at` to the millisecond.
const SECONDS = rounds(5, 60);
const SHIFT_MS = 5_000;
const ground = useGround({ chain: false });

const CLOCKS: [string, string][] = [
  ['5 s ahead', clockShift(SHIFT_MS)],
  ['5 s behind', clockShift(-SHIFT_MS)],
  ['that jumps by 10 s', clockThatJumps(SHIFT_MS, 2_500)],
];

async function etchUnder(world: World, preload?: string): Promise<Load> {
  await world.start({}, preload === undefined ? {} : { preload });
  const load = new Load({ client: world.client, agents: await world.agents(2), workers: 2 });
  load.start();
  await sleep(SECONDS * 1000);
  await load.finish();
  return load;
}

test.concurrent.each(CLOCKS)(
  'keeps the order of times with everything embedded and a clock %s',
  async (_, preload) => {
    const world = ground.keep(await embeddedWorld());
    // Only the service's clock is wrong. The embedded database uses it.
    const load = await etchUnder(world, preload);
    await audit(world, load, { perDay: 0 });
  },
);

test.concurrent.each(CLOCKS)(
  'PostgreSQL, a process with a clock %s: its times are the database’s',
  async (_, preload) => {
    const chain = ground.keep(await startChain());
    const world = ground.keep(await postgresWorld({ postgres: ground.postgres, chain }));
    const load = await etchUnder(world, preload);
    const before = Date.now();
    const etch = await load.etch({ mode: 'instant', reveal_at: null });
    const after = Date.now();
    const shown = (await world.client.call('GET', `/api/v1/etches/${etch.id}`)).body.etch;
    const created = Date.parse(shown.created_at as string);
    expect(created).toBeGreaterThan(before - 1_000);
    expect(created).toBeLessThan(after + 1_000);
    await audit(world, load);
  },
);

test.concurrent('keeps the order of times when blocks lag 5 s behind the database', async () => {
  const chain = ground.keep(await startChain({ lagSeconds: 5 }));
  const world = ground.keep(await postgresWorld({ postgres: ground.postgres, chain }));
  const load = await etchUnder(world);
  expect((await chain.head()).timestamp * 1000).toBeLessThan(Date.now() - 3_000);
  await audit(world, load);
});
