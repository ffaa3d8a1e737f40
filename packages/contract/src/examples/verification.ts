import type { Verification } from '../resources/verification.ts';
import { revealedEtch } from './etch.ts';
import { receipt } from './receipt.ts';
import * as world from './world.ts';

const learn = (section: string) => `${world.origin}/verify#${section}`;

export const verification: Verification = {
  id: world.etchId,
  status: 'revealed',
  hash: world.hash,
  canonical_string: world.canonicalString,
  recomputed_hash: world.hash,
  recomputed_hash_matches: true,
  reconstructable: true,
  reconstructable_note: null,
  checks: [
    {
      key: 'words',
      title: 'The words',
      verdict: 'pass',
      badge: 'match',
      detail: 'The canonical string hashes to the hash of the etch.',
      evidence: [{ label: 'Recomputed hash', value: world.hash, copy: true }],
      learn: learn('words'),
    },
    {
      key: 'batch',
      title: 'The tree',
      verdict: 'pass',
      badge: 'included',
      detail: 'The leaf folds with its proof to the root.',
      evidence: [{ label: 'Root', value: world.root, copy: true }],
      learn: learn('batch'),
    },
    {
      key: 'chain',
      title: 'The chain',
      verdict: 'pass',
      badge: 'attested',
      detail: 'The root is attested by the relayer, in time.',
      evidence: [{ label: 'Attestation', value: world.uid, copy: true }],
      learn: learn('chain'),
    },
  ],
  chain: {
    anchored: true,
    attestationUid: world.uid,
    onchainTimestamp: world.anchoredAt,
    revoked: false,
    revokedAt: null,
    explorerUrl: revealedEtch.chain.attscan_url,
    attester: receipt.chain.relayer,
    dataMatchesHash: true,
    txUrl: revealedEtch.chain.tx_url,
    tx_url: revealedEtch.chain.tx_url,
    revocation_tx_url: null,
  },
  etch: revealedEtch,
};
