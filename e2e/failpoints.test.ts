import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { FAILPOINTS, type FailpointName } from '../packages/server/src/anchoring/failpoints.ts';
import { allAnchored, anchoredOnChain, audit } from './support/audit.ts';
import { type Relayer, startChain, type TestChain } from './support/chain.ts';
import { dropBlocks, raiseBaseFee, spendNextNonce } from './support/chain-faults.ts';
import { Load } from './support/load.ts';
import { rounds } from './support/rounds.ts';
import { eventually } from './support/wait.ts';
import { postgresWorld, useGround, type World } from './support/world.ts';

// Anchored exactly once: kill -9 at every named place of anchoring, and at random.
const TIMES = rounds(3, 10);
const ground = useGround();
const KILLED = { code: null, signal: 'SIGKILL' };

/** Places that only a chain in trouble leads to. */
const IN_TROUBLE: readonly FailpointName[] = [
  'after-bump-sign',
  'after-bump-store',
  'before-reopen',
  'after-reopen',
  'before-requeue',
  'after-requeue',
];
const ON_THE_WAY = FAILPOINTS.filter((name) => !IN_TROUBLE.includes(name));

async function startedWorld(chain: TestChain, relayer?: Relayer): Promise<{ world: World; load: Load }> {
  const world = ground.keep(
    await postgresWorld({ postgres: ground.postgres, chain, ...(relayer && { relayer }) }),
  );
  await world.start();
  return { world, load: new Load({ client: world.client, agents: await world.agents(2) }) };
}

/** Restarts so that the process dies there; answers its end. */
async function armed(world: World, failpoint: string) {
  if (world.service.isRunning()) await world.service.kill9();
  // It may die before it is ready: what the last one left is work enough.
  const service = await world.start({ FAILPOINT: failpoint }, { until: 'spawned' });
  return service.exited;
}

describe.concurrent('on the way of every etch', () => {
  test.each(ON_THE_WAY)(`%s, ${TIMES} times`, async (name) => {
    const { world, load } = await startedWorld(ground.chain);
    for (let time = 0; time < TIMES; time++) {
      const end = armed(world, `${name}:${time === 2 ? 2 : 1}`);
      const wanted = [load.etch(), load.etch()];
      // Etches come until it dies: at the second visit of a place the first one's are done.
      const dead = { yet: false };
      const more = (async () => {
        for (; !dead.yet; await sleep(700)) await Promise.race([load.etch(), end]);
      })();
      expect(await end).toEqual(KILLED);
      dead.yet = true;
      await world.start();
      await Promise.all([...wanted, more]);
      await settled(load);
    }
    await audit(world, load);
  });
});

/** Every etch that was begun is acknowledged. */
async function settled(load: Load): Promise<void> {
  await eventually('all are acknowledged', () => load.wanted.every((wanted) => wanted.id !== undefined));
}

describe.concurrent('with a chain in trouble', () => {
  test.each(['after-bump-sign', 'after-bump-store'] as const)(`%s, ${TIMES} times`, async (name) => {
    const chain = ground.keep(await startChain());
    const { world, load } = await startedWorld(chain);
    for (let time = 0; time < TIMES; time++) {
      await chain.mineEvery(0);
      await world.service.kill9();
      await world.start({ FAILPOINT: 'after-send' });
      await load.etch();
      // Chain time has to come to the etch before anything is sent.
      await chain.mine(2);
      await world.service.exited;
      const end = armed(world, name);
      const stop = await raiseBaseFee(chain, 20);
      expect(await end).toEqual(KILLED);
      await stop();
      await world.start();
      await chain.mineEvery(1);
      // Nothing is left to die of before the next etch is written.
      await allAnchored(world, load.wanted);
    }
    await audit(world, load);
  });

  test.each(['before-reopen', 'after-reopen'] as const)(`%s, ${TIMES} times`, async (name) => {
    const chain = ground.keep(await startChain());
    const { world, load } = await startedWorld(chain);
    for (let time = 0; time < TIMES; time++) {
      const wanted = await load.etch();
      await eventually('it is anchored', async () => {
        const reply = await world.client.call('GET', `/api/v1/etches/${wanted.id}`);
        return reply.body.etch.chain.status === 'anchored';
      });
      const end = armed(world, name);
      await dropBlocks(chain, 6);
      expect(await end).toEqual(KILLED);
      await world.start();
      await anchoredOnChain(world, load.wanted);
    }
    await audit(world, load);
  });

  test.each(['before-requeue', 'after-requeue'] as const)(`%s, ${TIMES} times`, async (name) => {
    const { chain } = ground;
    const relayer = await chain.newRelayer();
    const { world, load } = await startedWorld(chain, relayer);
    for (let time = 0; time < TIMES; time++) {
      // Sealed with a nonce, not signed: and then somebody else spends that nonce.
      const sealed = armed(world, 'after-seal');
      await load.etch();
      expect(await sealed).toEqual(KILLED);
      await spendNextNonce(chain, relayer);
      expect(await armed(world, name)).toEqual(KILLED);
      await world.start();
      await allAnchored(world, load.wanted);
    }
    await audit(world, load);
  });
});

test(`${TIMES * 5} kills at random moments of anchoring`, async () => {
  const { world, load } = await startedWorld(ground.chain);
  load.start();
  for (let time = 0; time < TIMES * 5; time++) {
    await sleep(randomInt(2_500));
    await world.service.kill9();
    await world.start();
  }
  await load.finish();
  await audit(world, load);
});
