import { randomBytes } from 'node:crypto';
import { privateKeyToAddress } from 'viem/accounts';
import { freePort, runAnvil } from '../../packages/server/src/chain/devnet/anvil.ts';
import {
  anvilArguments,
  DEVNET_CHAIN_ID,
  devnetCall,
  devnetContract,
  devnetSchemaUid,
  ensureContracts,
  genesisArguments,
  newGenesis,
  startMining,
} from '../../packages/server/src/chain/devnet/chain-setup.ts';
import { prepareDevnetFiles } from '../../packages/server/src/chain/devnet/files.ts';
import { newFolder } from '../machine/folder.ts';
import type { Json } from '../json.ts';
import { keepSecret } from '../system/secrets.ts';

type Hex = `0x${string}`;

/** A key that attests, with money. */
export interface Relayer {
  key: Hex;
  address: Hex;
}

/** An anvil with the real contracts that belongs to no service: what a chain of somebody else's is. */
export interface TestChain {
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly contract: Hex;
  readonly schemaUid: Hex;
  rpc(method: string, ...params: unknown[]): Promise<Json>;
  newRelayer(): Promise<Relayer>;
  /** A block every so many seconds; 0: only `mine` makes blocks. */
  mineEvery(seconds: number): Promise<void>;
  mine(blocks?: number): Promise<void>;
  /** A block with every transaction, at once, and none without. */
  mineAtOnce(): Promise<void>;
  /** An empty block if that is needed to bring the chain's time to now. */
  passTime(): Promise<void>;
  head(): Promise<{ number: number; timestamp: number; baseFeePerGas: bigint }>;
  stop(): Promise<void>;
}

export interface ChainOptions {
  /** past states that are kept: how deep it can reorganise (default 20) */
  history?: number;
  /** seconds between blocks (default 1) */
  blockSeconds?: number;
  /** seconds by which the chain's clock is behind ours (default 0) */
  lagSeconds?: number;
}

export async function startChain({
  history = 20,
  blockSeconds = 1,
  lagSeconds = 0,
}: ChainOptions = {}): Promise<TestChain> {
  const files = await prepareDevnetFiles(newFolder('chain'));
  const port = await freePort(0);
  const anvil = await runAnvil(files, port, [...anvilArguments(history), ...genesisArguments(newGenesis())]);
  const rpc = devnetCall(port);
  if (lagSeconds > 0) {
    await rpc('anvil_setTime', Math.floor(Date.now() / 1000) - lagSeconds);
    await rpc('evm_setAutomine', true);
  } else await startMining(rpc);
  const chain: TestChain = {
    rpcUrl: `http://127.0.0.1:${port}`,
    chainId: DEVNET_CHAIN_ID,
    contract: devnetContract,
    schemaUid: devnetSchemaUid,
    rpc,
    async newRelayer() {
      const key: Hex = `0x${randomBytes(32).toString('hex')}`;
      const address = privateKeyToAddress(key).toLowerCase() as Hex;
      keepSecret('the relayer key', key.slice(2));
      await rpc('anvil_setBalance', address, `0x${(10n ** 22n).toString(16)}`);
      return { key, address };
    },
    async mineEvery(seconds) {
      await rpc('evm_setAutomine', false);
      await rpc('evm_setIntervalMining', seconds);
    },
    async mine(blocks = 1) {
      for (let block = 0; block < blocks; block++) await rpc('evm_mine');
    },
    async mineAtOnce() {
      await rpc('evm_setIntervalMining', 0);
      await rpc('evm_setAutomine', true);
    },
    async passTime() {
      if ((await chain.head()).timestamp * 1000 < Date.now()) await chain.mine();
    },
    async head() {
      const block = (await rpc('eth_getBlockByNumber', 'latest', false)) as Record<string, string>;
      return {
        number: Number(block['number']),
        timestamp: Number(block['timestamp']),
        baseFeePerGas: BigInt(block['baseFeePerGas']!),
      };
    },
    stop: () => anvil.kill(),
  };
  if (!(await ensureContracts(rpc, `0x${'01'.repeat(32)}`)))
    throw new Error('the contracts cannot be deployed');
  await chain.mineEvery(blockSeconds);
  return chain;
}
