import type { Config } from '../config.ts';
import { createEasChain } from '../chain/eas.ts';
import { type Devnet, startDevnet } from '../chain/devnet/devnet.ts';
import type { Chain } from '../chain/port.ts';

/** The chain in use, and what the service runs of it itself. */
export interface ChainInUse {
  chain: Chain;
  /** may hold a provider's key: never shown */
  rpcUrls: readonly string[];
  devnet: Devnet | undefined;
  stop(): Promise<void>;
}

export interface StartLog {
  info(message: string): void;
  warn(message: string): void;
}

/** The chain of CHAIN_RPC_URL, else an anvil of our own. */
export async function openChain(config: Config, log: StartLog): Promise<ChainInUse> {
  const { rpcUrls, relayerPrivateKey } = config.secrets;
  const { chain: settings } = config;
  const common = {
    name: settings.name,
    confirmations: settings.confirmations,
    maxFeeGwei: settings.maxFeeGwei,
  };
  if (rpcUrls !== undefined) {
    const chain = createEasChain({
      ...common,
      rpcUrls,
      relayerPrivateKey: relayerPrivateKey!,
      contract: settings.contract!,
      schemaUid: settings.schemaUid!,
      ...(settings.id === undefined ? {} : { chainId: settings.id }),
    });
    return { chain, rpcUrls, devnet: undefined, stop: async () => {} };
  }
  const devnet = await startDevnet({ dataDir: config.dataDir, port: settings.devnetPort, log });
  const chain = createEasChain({
    ...common,
    rpcUrls: [devnet.rpcUrl],
    relayerPrivateKey: devnet.relayerPrivateKey,
    contract: devnet.contract,
    schemaUid: devnet.schemaUid,
    chainId: devnet.chainId,
    minesOnDemand: true,
  });
  return { chain, rpcUrls: [devnet.rpcUrl], devnet, stop: () => devnet.stop() };
}
