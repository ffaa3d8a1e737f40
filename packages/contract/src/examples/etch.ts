import type { Author } from '../resources/author.ts';
import type { Chain } from '../resources/chain.ts';
import type {
  EtchPromise,
  EtchPromiseV2,
  RetractedEtch,
  RevealedEtch,
  SealedEtch,
} from '../resources/etch.ts';
import * as world from './world.ts';

export const author: Author = {
  user_id: world.adaId,
  username: 'ada',
  display_name: 'Ada',
  social_handle: 'ada_of_the_harbour',
  social_verified_at: '2025-12-30T10:00:00.000Z',
  social_verified: true,
  kind: 'human',
  verified: true,
  official: false,
};

const pendingChain: Chain = {
  status: 'pending',
  attestation_uid: null,
  tx_hash: null,
  anchored_at: null,
  revocation_status: 'none',
  revocation_tx_hash: null,
  revoked_onchain_at: null,
  attscan_url: null,
  tx_url: null,
  revocation_tx_url: null,
  root: null,
  proof: null,
  tree_size: null,
  tree_version: null,
  revocation_root: null,
  revocation_proof: null,
  revocation_tree_version: null,
  revocation_attestation_uid: null,
};

const anchoredChain: Chain = {
  ...pendingChain,
  status: 'anchored',
  attestation_uid: world.uid,
  tx_hash: world.txHash,
  anchored_at: world.anchoredAt,
  attscan_url: `${world.attestationExplorer}/attestation/view/${world.uid}`,
  tx_url: `${world.explorer}/tx/${world.txHash}`,
  root: world.root,
  proof: [world.otherLeaf],
  tree_size: 2,
  tree_version: 2,
};

const urls = (id: string, code: string) => ({
  code,
  url: `${world.origin}/e/${id}`,
  short_url: `${world.origin}/e/${code}`,
  verify_url: `${world.origin}/e/${id}/verify`,
});

export const revealedEtch: RevealedEtch = {
  id: world.etchId,
  status: 'revealed',
  mode: 'instant',
  hash: world.hash,
  description: 'A guess about the lighthouse',
  content: world.content,
  salt: world.salt,
  created_at: world.createdAt,
  created_on: '2026-01-02',
  reveal_at: null,
  revealed_at: world.createdAt,
  retracted_at: null,
  author,
  category: { id: 'personal', label: 'Personal' },
  challenge: null,
  chain: anchoredChain,
  signature: null,
  canonical_string: world.canonicalString,
  ...urls(world.etchId, 'k3wq7n'),
};

export const sealedEtch: SealedEtch = {
  ...revealedEtch,
  id: world.sealedId,
  status: 'sealed',
  mode: 'delayed',
  hash: world.otherHash,
  content: null,
  salt: null,
  created_at: null,
  reveal_at: '2026-03-01T12:00:00.000Z',
  revealed_at: null,
  chain: pendingChain,
  signature: null,
  canonical_string: null,
  ...urls(world.sealedId, 'p9d4xe'),
};

/** By the key whose seed is 32 bytes of 0x07. */
export const sealedPromise: EtchPromise = {
  text: `svc-promise:v1|${world.sealedId}|${world.adaId}|${world.otherHash}|2026-01-04`,
  public_key: 'ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',
  signature:
    '1b23f0a5c9ab3843289e44f7cbe238db2defad03b4581f51d87c8ccc8b335ac7d0deae5541ba685779b31a9ba2606b7f25a30701d21e8bd953fa6afbc5579705',
};

/** By the same key. */
export const sealedPromiseV2: EtchPromiseV2 = {
  text: `svc-promise:v2|${world.sealedId}|${world.adaId}|${world.otherHash}|2026-01-04|38afe9484b31b7cad1136a04c7da8fac6daa51eb609887a9cf6acc758a62d6c2|personal|delayed|2026-03-01T12:00:00.000Z|-`,
  public_key: 'ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',
  signature:
    'cc24428a5f027f7096f5b70b21ae24bb7164ef993e5cd984a63a473b8f337a28b45c72d6d60187296be64cfef6fdeb7209da0d947a7a0256a1df2b2705e0a50c',
};

export const retractedEtch: RetractedEtch = {
  ...sealedEtch,
  id: world.retractedId,
  status: 'retracted',
  hash: world.retractedHash,
  retracted_at: '2026-01-04T09:30:00.250Z',
  chain: { ...anchoredChain, revocation_status: 'pending' },
  ...urls(world.retractedId, 'm2t8vb'),
};

export const etchAnswer = { etch: revealedEtch };
