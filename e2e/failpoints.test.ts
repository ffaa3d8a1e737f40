// Runs in the soak only.
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { NORMAL_PATH } from '../packages/server/src/anchoring/failpoints.ts';
import { audit } from '../testing/ledger/audit.ts';
import { allAnchored, anchoredOnChain } from '../testing/system/settled.ts';
import { startChain, type TestChain } from '../testing/chain/anvil.ts';
import { depthOfNewest, dropBlocks, raiseBaseFee, spendNonce } from '../testing/chain/chain-faults.ts';
import type { Relayer } from '../testing/chain/node.ts';
import { Load } from '../testing/system/load.ts';
import { rounds } from '../testing/rounds.ts';
import { eventually } from '../testing/wait.ts';
import { postgresWorld, useGround, type World } from '../testing/system/world.ts';

const TIMES = rounds(1, 10);
const AT_RANDOM = rounds(10, 50);
const ground = useGround();
const KILLED = { code: null, signal: 'SIGKILL' };

async function armedWorld(
  chain: TestChain,
  failpoint: string,
  relayer?: Relayer,
): Promise<{ world: World; load: Load }> {
  const world = ground.keep(
    await postgresWorld({ postgres: ground.postgres, chain, ...(relayer && { relayer }) }),
  );
  await world.start({ FAILPOINT: failpoint });
  return { world, load: new Load({ client: world.client, agents: await world.agents(2) }) };
}

/** The process may die before it is ready, because the last one left enough work. */
async function arm(world: World, failpoint: string): Promise<void> {
  if (world.service.isRunning()) await world.service.kill9();
  await world.start({ FAILPOINT: failpoint }, { until: 'spawned' });
}

async function rearm(world: World, failpoint: string): Promise<void> {
  await world.service.kill9();
  await world.start({ FAILPOINT: failpoint });
}

const died = async ({ service }: World): Promise<void> => expect(await service.exited).toEqual(KILLED);

describe.concurrent('on the path of every etch', () => {
  test.each(NORMAL_PATH)(`%s, ${TIMES} times`, async (name) => {
    const { world, load } = await armedWorld(ground.chain, name);
    const sent: Promise<unknown>[] = [];
    for (let time = 0; time < TIMES; time++) {
      // The first visit may be for work that the last process left.
      if (time > 0) await arm(world, `${name}:${time === 2 ? 2 : 1}`);
      const { exited } = world.service;
      sent.push(load.etch());
      const dead = { yet: false };
      const more = (async () => {
        for (; !dead.yet; await sleep(700)) {
          const etch = load.etch();
          sent.push(etch);
          await Promise.race([etch, exited]);
        }
      })();
      await died(world);
      dead.yet = true;
      await more;
    }
    await world.start();
    await Promise.all(sent);
    await audit(world, load);
  });
});

describe.concurrent('with a chain in trouble', () => {
  test.each(['after-bump-sign', 'after-bump-store'])(`%s, ${TIMES} times`, async (name) => {
    const chain = ground.keep(await startChain());
    const { world, load } = await armedWorld(chain, name);
    for (let time = 0; time < TIMES; time++) {
      if (time > 0) await rearm(world, name);
      await chain.mineEvery(0);
      await load.etch();
      // Chain time must reach the etch before anything is sent; then no block comes.
      while ((await chain.head()).timestamp * 1000 <= Date.now()) await chain.mine();
      await eventually('it is sent', () => world.service.log().some(({ msg }) => msg === 'anchoring: sent'));
      const stop = await raiseBaseFee(chain, 20);
      await died(world);
      await stop();
      await world.start();
      await chain.mineEvery(1);
      await allAnchored(world, load.wanted);
    }
    await audit(world, load);
  });

  test.each(['before-reopen', 'after-reopen'])(`%s, ${TIMES} times`, async (name) => {
    const chain = ground.keep(await startChain({ history: 64 }));
    const { world, load } = await armedWorld(chain, name);
    await chain.mine(8);
    for (let time = 0; time < TIMES; time++) {
      if (time > 0) await rearm(world, name);
      await load.etch();
      await allAnchored(world, load.wanted);
      await dropBlocks(chain, await depthOfNewest(chain));
      await died(world);
      await world.start();
      await anchoredOnChain(world, load.wanted);
    }
    await audit(world, load);
  });

  test.each(['before-requeue', 'after-requeue'])(`%s, ${TIMES} times`, async (name) => {
    const { chain } = ground;
    const relayer = await chain.newRelayer();
    const { world, load } = await armedWorld(chain, 'after-stage', relayer);
    const sent: Promise<unknown>[] = [];
    for (let time = 0; time < TIMES; time++) {
      // The nonce is staged, not signed; then a different sender spends it.
      if (time > 0) await arm(world, 'after-stage');
      sent.push(load.etch());
      await died(world);
      await spendNonce(chain, relayer.key);
      await arm(world, name);
      await died(world);
    }
    await world.start();
    await Promise.all(sent);
    await audit(world, load);
  });
});

test.concurrent(`${AT_RANDOM} kills at random moments of anchoring`, async () => {
  const world = ground.keep(await postgresWorld({ postgres: ground.postgres, chain: ground.chain }));
  await world.start();
  const load = new Load({ client: world.client, agents: await world.agents(2) });
  load.start();
  for (let time = 0; time < AT_RANDOM; time++) {
    await sleep(randomInt(2_500));
    await world.service.kill9();
    await world.start();
  }
  await load.finish();
  await audit(world, load);
});
