import type { TrustFields } from './parts/trust-form.tsx';
import type { SiteChain } from './site.ts';

export function trustFields(chain: SiteChain): TrustFields {
  return {
    rpcUrl: chain.rpcUrl,
    chainId: chain.id === null ? '' : String(chain.id),
    contract: chain.contract,
    schemaUid: chain.schemaUid,
    relayer: chain.relayer,
  };
}
