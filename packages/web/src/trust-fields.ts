import type { TrustFields } from './parts/trust-form.tsx';
import type { SiteChain } from './site.ts';

/** `rpcUrl` is a default; the reader may name a different one. */
export function trustFields(chain: SiteChain, rpcUrl: string): TrustFields {
  return {
    rpcUrl,
    chainId: chain.id === null ? '' : String(chain.id),
    contract: chain.contract,
    schemaUid: chain.schemaUid,
    relayer: chain.relayer,
  };
}

export const ownRpc = ({ baseUrl }: { baseUrl: string }): string => `${baseUrl}/rpc`;
