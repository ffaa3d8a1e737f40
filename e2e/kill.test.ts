import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { audit } from '../testing/ledger/audit.ts';
import { Load } from '../testing/system/load.ts';
import { startPostgres } from '../testing/database/postgres.ts';
import { AT_FULL_COUNT, rounds } from '../testing/rounds.ts';
import { whenReady } from '../testing/system/service-process.ts';
import { eventually } from '../testing/wait.ts';
import { embeddedWorld, postgresWorld, useGround, type World } from '../testing/system/world.ts';

const ROUNDS = rounds(4, 200);
const ground = useGround({ postgres: false, chain: AT_FULL_COUNT });

async function warmedUp(world: World): Promise<Load> {
  const load = new Load({
    client: world.client,
    agents: await world.agents(4),
    restMs: AT_FULL_COUNT ? 100 : 200,
  });
  load.start();
  await sleep(500);
  return load;
}

/** One of two rounds waits until the process has accepted etches. */
async function anyMoment(load: Load, round: number): Promise<void> {
  const { acknowledged } = load;
  if (round % 2 === 1) await eventually('it takes etches again', () => load.acknowledged > acknowledged);
  await sleep(randomInt(500));
}

test.concurrent(`${ROUNDS} kills lose and double nothing: everything embedded`, async () => {
  const world = ground.keep(await embeddedWorld());
  await world.start();
  const load = await warmedUp(world);
  for (let round = 0; round < ROUNDS; round++) {
    await anyMoment(load, round);
    await world.service.kill9();
    if (round % 5 === 4) {
      const starting = await world.start({}, { until: 'spawned' });
      await sleep(randomInt(1500));
      await starting.kill9();
    }
    await world.start();
  }
  await load.finish();
  const { etches } = await audit(world, load);
  expect(etches).toBeGreaterThanOrEqual(ROUNDS / 2);
  expect(load.unknown).toBeGreaterThan(0);
});

if (AT_FULL_COUNT)
  test.concurrent(`${ROUNDS} kills lose and double nothing: PostgreSQL, which is killed too`, async () => {
    const postgres = ground.keep(await startPostgres());
    const world = ground.keep(await postgresWorld({ postgres, chain: ground.chain }));
    await world.start();
    const load = await warmedUp(world);
    for (let round = 0; round < ROUNDS; round++) {
      await anyMoment(load, round);
      const which = ['service', 'database', 'both'][round % 3];
      if (which !== 'database') await world.service.kill9();
      if (which !== 'service') {
        await postgres.kill9();
        await sleep(randomInt(200));
        await postgres.restart();
      }
      if (which !== 'database') await world.start();
      else await whenReady(world.service);
    }
    await load.finish();
    const { etches } = await audit(world, load);
    expect(etches).toBeGreaterThanOrEqual(ROUNDS / 2);
    expect(load.unknown).toBeGreaterThan(0);
  });
