import type { TrustFields } from './parts/trust-form.tsx';
import type { SiteChain } from './site.ts';

/** `rpcUrl`: until the reader names another (`ownRpc`). */
export function trustFields(chain: SiteChain, rpcUrl: string): TrustFields {
  return {
    rpcUrl,
    chainId: chain.id === null ? '' : String(chain.id),
    contract: chain.contract,
    schemaUid: chain.schemaUid,
    relayer: chain.relayer,
  };
}

/** The service's read-only proxy to the chain. */
export const ownRpc = ({ baseUrl }: { baseUrl: string }): string => `${baseUrl}/rpc`;
