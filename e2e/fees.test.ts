// Runs in the soak only.
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { audit } from '../testing/ledger/audit.ts';
import { startChain, type TestChain } from '../testing/chain/anvil.ts';
import { raiseBaseFee } from '../testing/chain/chain-faults.ts';
import { Load } from '../testing/system/load.ts';
import { rounds } from '../testing/rounds.ts';
import { eventually } from '../testing/wait.ts';
import { postgresWorld, useGround, type World } from '../testing/system/world.ts';

const TIMES = rounds(1, 5);
const ground = useGround({ chain: false });
const GWEI = 10n ** 9n;

interface AttemptRow {
  nonce: number;
  fee: bigint;
}

async function attempts(world: World): Promise<AttemptRow[]> {
  return world.withDb(async (db) => {
    const rows = await db.query<{ nonce: number; fee: string }>(
      sql`select t.nonce, a.max_fee_per_gas as fee from tx_attempt a join anchor_tx t on t.id = a.tx_id order by a.signed_at`,
    );
    return rows.map(({ nonce, fee }) => ({ nonce, fee: BigInt(fee) }));
  });
}

/**
 * An etch is not signed before the chain reaches its time. One block only: a later one could contain it already.
 */
async function comeToNow(chain: TestChain): Promise<void> {
  const now = Math.ceil(Date.now() / 1000);
  if ((await chain.head()).timestamp >= now) return;
  await chain.rpc('evm_setNextBlockTimestamp', now);
  await chain.mine();
}

test.concurrent('raises a stuck transaction until it is mined at ten times the base fee', async () => {
  for (let time = 0; time < TIMES; time++) {
    // A node's suggested tip depends on the last transactions, so each round has a fresh chain.
    const chain = ground.keep(await startChain({ blockSeconds: 0 }));
    const world = ground.keep(await postgresWorld({ postgres: ground.postgres, chain }));
    await world.start();
    const load = new Load({ client: world.client, agents: await world.agents(1) });
    await load.etch();
    await comeToNow(chain);
    const [first] = await eventually('it is sent', async () => {
      const all = await attempts(world);
      return all.length > 0 && all;
    });
    const calm = await raiseBaseFee(chain, Number((first!.fee * 10n) / GWEI));
    const raised = await eventually('its fees are raised', async () => {
      const all = await attempts(world);
      return all.length > 1 && all;
    });
    expect(new Set(raised.map(({ nonce }) => nonce)).size).toBe(1);
    expect(raised[1]!.fee).toBeGreaterThanOrEqual((first!.fee * 5n) / 4n);
    await calm();
    await chain.mineEvery(1);
    await audit(world, load);
  }
});

test.concurrent('waits above the fee cap, says so, and continues when fees fall', async () => {
  const chain = ground.keep(await startChain({ blockSeconds: 0 }));
  const world = ground.keep(
    await postgresWorld({ postgres: ground.postgres, chain }, { MAX_FEE_GWEI: '20' }),
  );
  await world.start();
  const load = new Load({ client: world.client, agents: await world.agents(1) });
  const calm = await raiseBaseFee(chain, 50);
  await load.etch();
  await eventually('it says so', () => world.service.log().some(({ msg }) => /fee cap/.test(msg)));
  await load.etch();
  for (const { fee } of await attempts(world)) expect(fee).toBeLessThanOrEqual(20n * GWEI);
  await calm();
  await chain.mineEvery(1);
  await audit(world, load);
  const offered = await attempts(world);
  expect(offered.length).toBeGreaterThan(0);
  for (const { fee } of offered) expect(fee).toBeLessThanOrEqual(20n * GWEI);
});
