import type { TrustFields } from './parts/trust-form.tsx';
import type { SiteChain } from './site.ts';

/** `rpcUrl` is what is asked until the reader names another: of a page the service alone (`ownRpc`). */
export function trustFields(chain: SiteChain, rpcUrl: string): TrustFields {
  return {
    rpcUrl,
    chainId: chain.id === null ? '' : String(chain.id),
    contract: chain.contract,
    schemaUid: chain.schemaUid,
    relayer: chain.relayer,
  };
}

/** The service's read-only window on the chain. */
export const ownRpc = ({ baseUrl }: { baseUrl: string }): string => `${baseUrl}/rpc`;
