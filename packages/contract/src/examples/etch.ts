import type { Author } from '../resources/author.ts';
import { Chain } from '../resources/chain.ts';
import type { EtchPromise, RetractedEtch, RevealedEtch, SealedEtch } from '../resources/etch.ts';
import * as world from './shared-values.ts';

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

const names = Object.keys(Chain.properties) as (keyof Chain)[];
const nulls = Object.fromEntries(names.map((name) => [name, null])) as Record<keyof Chain, null>;
const pendingChain: Chain = { ...nulls, status: 'pending', revocation_status: 'none' };

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

/** Signed by the key whose seed is 32 bytes of 0x07. */
export const sealedPromise: EtchPromise = {
  text: `svc-promise:v3|${world.sealedId}|${world.adaId}|${world.otherHash}|2026-01-04|38afe9484b31b7cad1136a04c7da8fac6daa51eb609887a9cf6acc758a62d6c2|personal|delayed|2026-03-01T12:00:00.000Z|-|5d54307786c94c81b925f49813c4bdea852f38c54a3df6b97f34892c4c71d572`,
  path: ['052bbd541cdbf217637c99e2f9869b959dc68f41d7b7633251db47a8b97d38cf'],
  public_key: 'ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',
  signature:
    'e6dae3a94c3ba1b33814ecd751584097ae723be9bc1b1f1cd6723f67a6343a2deb1be8ada08f16417403da784af5fffaedff9761b974f7aece9957f3924f720a',
  nonce: '59857136ec33dd104486724a3382ef561dad39d5c8f564543d8a80fea6b49253',
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
