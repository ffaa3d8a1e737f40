import { listRelayers, rememberedChainId } from '../anchoring/index.ts';
import type { Db } from '../db/db.ts';
import type { AnchoringChain } from '../etches/verify.ts';
import type { Config } from '../settings/config.ts';
import type { ChainInUse } from './start/chain.ts';

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
