import type { timelockDecrypt } from 'tlock-js';
import type { ChainInfo } from './chain.mjs';

type ChainClient = Parameters<typeof timelockDecrypt>[1];

export function tlockClient(info: ChainInfo, signature: (round: number) => Promise<string>): ChainClient {
  const chain = { baseUrl: 'http://beacon.test', info: () => Promise.resolve(info) };
  const client: ChainClient = {
    options: { disableBeaconVerification: true, noCache: true },
    chain: () => chain,
    get: async (round: number) => ({ round, randomness: '', signature: await signature(round) }),
    latest: () => Promise.reject(new Error('nobody asks')),
  };
  return client;
}
