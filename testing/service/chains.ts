import { createEasChain } from '../../packages/server/src/chain/eas.ts';
import { openChainClient } from '../../packages/server/src/chain/client.ts';
import type { Devnet } from '../../packages/server/src/chain/devnet/devnet.ts';
import type { Chain } from '../../packages/server/src/chain/port.ts';

/** The chain of a devnet, whose blocks come when they are asked for. */
export function devnetChain(devnet: Devnet): Chain {
  return createEasChain({
    name: 'devnet',
    rpc: openChainClient({ urls: [devnet.rpcUrl] }).anchoring,
    relayerPrivateKey: devnet.relayerPrivateKey,
    contract: devnet.contract,
    schemaUid: devnet.schemaUid,
    confirmations: 1,
    maxFeeGwei: 100,
    minesOnDemand: true,
  });
}

/** A chain that is down. */
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
