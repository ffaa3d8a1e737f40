import { type ChainClient, openChainClient } from '../../chain/client.ts';
import { type Devnet, startDevnet } from '../../chain/devnet/devnet.ts';
import { createEasChain } from '../../chain/eas.ts';
import type { Chain } from '../../chain/port.ts';
import type { Config } from '../../settings/config.ts';
import { listRelayers, rememberedChainId } from '../../anchoring/index.ts';
import type { Db } from '../../db/db.ts';
import type { AnchoringChain } from '../../etches/verify.ts';

export interface ChainInUse {
  chain: Chain;
  client: ChainClient;
  devnet: Devnet | undefined;
  stop(): Promise<void>;
}

export interface StartLog {
  info(message: string): void;
  warn(message: string): void;
}

export async function openChain(config: Config, log: StartLog): Promise<ChainInUse> {
  const { rpcUrls, readRpcUrls, relayerPrivateKey } = config.secrets;
  const { chain: settings } = config;
  const common = {
    name: settings.name,
    confirmations: settings.confirmations,
    maxFeeGwei: settings.maxFeeGwei,
  };
  if (rpcUrls !== undefined) {
    const client = openChainClient({ urls: rpcUrls, readUrls: readRpcUrls, chainId: settings.id });
    const chain = createEasChain({
      ...common,
      rpc: client.anchoring,
      relayerPrivateKey: relayerPrivateKey!,
      contract: settings.contract!,
      schemaUid: settings.schemaUid!,
    });
    return { chain, client, devnet: undefined, stop: async () => {} };
  }
  const devnet = await startDevnet({ dataDir: config.dataDir, port: settings.devnetPort, log });
  const client = openChainClient({ urls: [devnet.rpcUrl], chainId: devnet.chainId });
  const chain = createEasChain({
    ...common,
    rpc: client.anchoring,
    relayerPrivateKey: devnet.relayerPrivateKey,
    contract: devnet.contract,
    schemaUid: devnet.schemaUid,
    minesOnDemand: true,
  });
  return { chain, client, devnet, stop: () => devnet.stop() };
}

const RELAYERS_KNOWN_FOR_MS = 30_000;

export function chainFacts(
  config: Config,
  baseUrl: string,
  { chain, devnet }: ChainInUse,
  db: Db,
): AnchoringChain {
  let known = devnet?.chainId ?? config.chain.id;
  // A different process may start with a new relayer key, so the list expires.
  let past: { at: number; relayers: Promise<string[]> } | undefined;
  const pastRelayers = (): Promise<string[]> => {
    if (!past || performance.now() - past.at > RELAYERS_KNOWN_FOR_MS)
      past = { at: performance.now(), relayers: listRelayers(db) };
    past.relayers.catch(() => (past = undefined));
    return past.relayers;
  };
  return {
    name: chain.name,
    embedded: devnet !== undefined,
    contract: chain.contract,
    schemaUid: chain.schemaUid,
    relayer: chain.relayer,
    publicRpcUrl: config.chain.publicRpcUrl ?? `${baseUrl}/rpc`,
    relayers: async () => [...new Set([chain.relayer, ...(await pastRelayers())])],
    chainId: async () => (known ??= (await rememberedChainId(db)) ?? (await chain.identity()).chainId),
  };
}
