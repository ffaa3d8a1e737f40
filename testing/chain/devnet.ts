import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll } from 'vitest';
import { type ChainClientOptions, openChainClient } from '../../packages/server/src/chain/client.ts';
import {
  type Devnet,
  type DevnetOptions,
  startDevnet,
} from '../../packages/server/src/chain/devnet/devnet.ts';
import { createEasChain, type EasChainOptions } from '../../packages/server/src/chain/eas.ts';
import type { Chain } from '../../packages/server/src/chain/port.ts';
import { newFolder } from '../machine/folder.ts';
import { type Hex, nodeAt, type TestNode } from './node.ts';

interface TestLog {
  lines: string[];
  info(message: string): void;
  warn(message: string): void;
}

export function testLog(): TestLog {
  const lines: string[] = [];
  return { lines, info: (message) => void lines.push(message), warn: (message) => void lines.push(message) };
}

export function startTestDevnet(options: Partial<DevnetOptions> = {}): Promise<Devnet> {
  return startDevnet({ dataDir: newFolder('devnet'), port: 0, log: testLog(), ...options });
}

export function devnetChain(
  devnet: Devnet,
  more: Partial<EasChainOptions> & Partial<Omit<ChainClientOptions, 'readUrls'>> = {},
): Chain {
  const { anchoring: rpc } = openChainClient({ urls: [devnet.rpcUrl], chainId: devnet.chainId, ...more });
  return createEasChain({
    name: 'devnet',
    rpc,
    relayerPrivateKey: devnet.relayerPrivateKey,
    contract: devnet.contract,
    schemaUid: devnet.schemaUid,
    confirmations: 1,
    maxFeeGwei: 100,
    minesOnDemand: true,
    ...more,
  });
}

export function noChain(): Chain {
  return createEasChain({
    name: 'devnet',
    rpc: openChainClient({ urls: ['http://127.0.0.1:9'], chainId: 31337, timeoutMs: 500 }).anchoring,
    relayerPrivateKey: `0x${'11'.repeat(32)}`,
    contract: `0x${'22'.repeat(20)}`,
    schemaUid: `0x${'33'.repeat(32)}`,
    confirmations: 1,
    maxFeeGwei: 100,
  });
}

export interface TestDevnet extends Devnet, TestNode {
  readonly relayer: Hex;
  /** From now on, another key attests, whose attestations no database has forgotten. */
  changeRelayer(): Promise<void>;
  chain(more?: Parameters<typeof devnetChain>[1]): Chain;
  haltBlocks(): Promise<void>;
  resumeBlocks(): Promise<void>;
}

export function useDevnet(): TestDevnet {
  let started: Devnet | undefined;
  let key: Hex | undefined;
  beforeAll(async () => {
    started = await startTestDevnet({ historyStates: 100 });
  });
  afterAll(() => started?.stop());
  const node = nodeAt(() => started!.rpcUrl);
  const own: ReturnType<typeof nodeAt> &
    Pick<
      TestDevnet,
      'chain' | 'changeRelayer' | 'relayer' | 'relayerPrivateKey' | 'haltBlocks' | 'resumeBlocks'
    > = {
    ...node,
    changeRelayer: async () => void ({ key } = await node.newRelayer()),
    chain: (more) => devnetChain(started!, { relayerPrivateKey: own.relayerPrivateKey, ...more }),
    async haltBlocks() {
      // A save may resume mining.
      await started!.save();
      await node.rpc('evm_setAutomine', false);
    },
    resumeBlocks: async () => void (await node.rpc('evm_setAutomine', true)),
    get relayerPrivateKey() {
      return key ?? started!.relayerPrivateKey;
    },
    get relayer() {
      return privateKeyToAddress(own.relayerPrivateKey).toLowerCase() as Hex;
    },
  };
  return new Proxy(own as TestDevnet, {
    get: (_, name) => {
      if (name in own) return Reflect.get(own, name) as unknown;
      if (!started) throw new Error('the devnet starts in beforeAll: use it in tests and hooks only');
      return Reflect.get(started, name) as unknown;
    },
  });
}
