import { randomBytes } from 'node:crypto';
import { privateKeyToAddress } from 'viem/accounts';
import type { Json } from '../json.ts';
import { keepSecret } from '../system/secrets.ts';
import { rpc } from './json-rpc.ts';

export type Hex = `0x${string}`;

export interface Relayer {
  key: Hex;
  address: Hex;
}

interface Head {
  number: number;
  timestamp: number;
  baseFeePerGas: bigint;
}

export interface TestNode {
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly contract: Hex;
  readonly schemaUid: Hex;
  rpc(method: string, ...params: unknown[]): Promise<Json>;
  mine(blocks?: number): Promise<void>;
  head(): Promise<Head>;
  newRelayer(): Promise<Relayer>;
}

export function nodeAt(url: () => string): Pick<TestNode, 'rpc' | 'mine' | 'head' | 'newRelayer'> {
  const ask: TestNode['rpc'] = (method, ...params) => rpc(url(), method, ...params);
  const head = async (): Promise<Head> => {
    const block = (await ask('eth_getBlockByNumber', 'latest', false)) as Record<string, string>;
    return {
      number: Number(block['number']),
      timestamp: Number(block['timestamp']),
      baseFeePerGas: BigInt(block['baseFeePerGas']!),
    };
  };
  return {
    rpc: ask,
    head,
    async mine(blocks = 1) {
      for (let block = 0; block < blocks; block++) await ask('evm_mine');
    },
    async newRelayer() {
      const key: Hex = `0x${randomBytes(32).toString('hex')}`;
      const address = privateKeyToAddress(key).toLowerCase() as Hex;
      keepSecret('the relayer key', key.slice(2));
      await ask('anvil_setBalance', address, `0x${(10n ** 22n).toString(16)}`);
      return { key, address };
    },
  };
}
