import {
  DEVNET_CHAIN_ID,
  devnetContract,
  devnetSchemaUid,
  newGenesis,
} from '../../packages/server/src/chain/devnet/chain-setup.ts';
import { prepareDevnetFiles } from '../../packages/server/src/chain/devnet/files.ts';
import { startNewChain } from '../../packages/server/src/chain/devnet/anvil.ts';
import { newFolder } from '../machine/folder.ts';
import { nodeAt, type TestNode } from './node.ts';
import { lastingPort } from '../machine/free-port.ts';

export interface TestChain extends TestNode {
  /** seconds; with 0, only `mine` makes blocks */
  mineEvery(seconds: number): Promise<void>;
  mineAtOnce(): Promise<void>;
  /** Moves the chain's time to the clock's if it is behind. */
  passTime(): Promise<void>;
  stop(): Promise<void>;
}

export interface ChainOptions {
  history?: number;
  lagSeconds?: number;
  chainId?: number;
}

export async function startChain({
  history = 20,
  lagSeconds = 0,
  chainId = DEVNET_CHAIN_ID,
}: ChainOptions = {}): Promise<TestChain> {
  const files = await prepareDevnetFiles(newFolder('chain'));
  const port = await lastingPort();
  const { anvil, call: rpc } = await startNewChain(files, port, {
    historyStates: history,
    genesis: newGenesis(),
    relayerKey: `0x${'01'.repeat(32)}`,
    ...(lagSeconds > 0 && {
      begin: async (call) => {
        await call('anvil_setTime', Math.floor(Date.now() / 1000) - lagSeconds);
        await call('evm_setAutomine', true);
      },
    }),
  });
  if (chainId !== DEVNET_CHAIN_ID) await rpc('anvil_setChainId', chainId);
  const rpcUrl = `http://127.0.0.1:${port}`;
  const chain: TestChain = {
    ...nodeAt(() => rpcUrl),
    rpcUrl,
    chainId,
    contract: devnetContract,
    schemaUid: devnetSchemaUid,
    async mineEvery(seconds) {
      await rpc('evm_setAutomine', false);
      await rpc('evm_setIntervalMining', seconds);
    },
    async mineAtOnce() {
      await rpc('evm_setIntervalMining', 0);
      await rpc('evm_setAutomine', true);
    },
    async passTime() {
      if ((await chain.head()).timestamp * 1000 < Date.now()) await chain.mine();
    },
    stop: () => anvil.kill(),
  };
  await chain.mineEvery(1);
  return chain;
}
