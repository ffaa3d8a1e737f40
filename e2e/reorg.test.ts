// Runs in the soak only.
import { test } from 'vitest';
import { audit } from '../testing/ledger/audit.ts';
import { allAnchored, anchoredOnChain } from '../testing/system/settled.ts';
import { startChain, type TestChain } from '../testing/chain/anvil.ts';
import { dropBlocks, moveTransactions, rollBack } from '../testing/chain/chain-faults.ts';
import { Load } from '../testing/system/load.ts';
import { rounds } from '../testing/rounds.ts';
import { eventually } from '../testing/wait.ts';
import { postgresWorld, useGround, type World } from '../testing/system/world.ts';

const TIMES = rounds(1, 10);
const ground = useGround({ chain: false });

const DAMAGES: ((chain: TestChain, depth: number) => Promise<unknown>)[] = [
  dropBlocks,
  moveTransactions,
  rollBack,
];

test.concurrent.each([1, 6, 64])('reorganizations of depth %i leave nothing dangling', async (depth) => {
  const chain = ground.keep(await startChain({ history: 200 }));
  const world = ground.keep(await postgresWorld({ postgres: ground.postgres, chain }));
  await world.start();
  const load = new Load({ client: world.client, agents: await world.agents(2) });
  for (let time = 0; time < TIMES; time++) {
    for (const damage of DAMAGES) {
      const first = await load.etch({ mode: 'instant', reveal_at: null });
      await allAnchored(world, load.wanted);
      if (depth > 2) await chain.rpc('anvil_mine', depth - 2, 1);
      await chain.mineAtOnce();
      await load.retract(first);
      // The newest block anchors it, within reach of the shortest reorganization; blocks that pass time may
      // follow.
      do {
        await load.etch();
        await chain.passTime();
        await allAnchored(world, load.wanted);
      } while (await isHeadEmpty(chain));
      const lost = losses(world);
      const head = await headOf(chain);
      await damage(chain, depth);
      const isSame = (await headOf(chain, head.number)).hash === head.hash;
      await chain.mineEvery(1);
      await eventually('the loss is noticed', () => isSame || losses(world) > lost);
      await anchoredOnChain(world, load.wanted);
    }
  }
  await audit(world, load, { remade: true });
});

interface Block {
  number: string;
  hash: string;
  transactions: string[];
}
async function headOf(chain: TestChain, number = 'latest'): Promise<Partial<Block>> {
  return ((await chain.rpc('eth_getBlockByNumber', number, false)) ?? {}) as Partial<Block>;
}
const isHeadEmpty = async (chain: TestChain): Promise<boolean> =>
  (await headOf(chain)).transactions?.length === 0;

const losses = ({ service }: World): number =>
  service.log().filter(({ msg }) => msg.includes('the chain lost a block')).length;
