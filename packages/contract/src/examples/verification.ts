import { RECEIPT_FORMAT } from '@svc/protocol';
import type { EvidenceFile } from '../resources/evidence.ts';
import type { Beacon, OpeningFile } from '../resources/opening.ts';
import type { Receipt } from '../resources/receipt.ts';
import type { Verification } from '../resources/verification.ts';
import { revealedEtch } from './etch.ts';
import * as world from './shared-values.ts';

export const receipt: Receipt = {
  _format: RECEIPT_FORMAT,
  _what_this_is: `Proof that an etch existed at a time. Check it without us: ${world.origin}/verify`,
  _verify_without_etch: `${world.origin}/verify`,
  etch_id: world.etchId,
  status: 'revealed',
  author: { user_id: world.adaId, username: 'ada' },
  canonical_string: world.canonicalString,
  hash: world.hash,
  inclusion: {
    root: world.root,
    proof: [world.otherLeaf],
    tree_size: 2,
    tree_version: 2,
    leaf_rule: 'sha256(0x00 || author user id as 16 raw bytes || hash)',
    node_rule: 'sha256(0x01 || min(a,b) || max(a,b))',
  },
  revocation: null,
  signature: null,
  chain: {
    name: 'devnet',
    chain_id: 31337,
    attestation_contract: '0x2e7d2c03a9507ae265ecf5b5356885a53393a202',
    schema_uid: '0xdf0ad6e43880f09c90ebf95f19110178aba6890df0010ebda7485029e2b543b4',
    attestation_uid: world.uid,
    expect_onchain: world.root,
    relayer: '0x454349e422f05297191ead13e21d3db520e5abef',
    tx_hash: world.txHash,
    anchored_at: world.anchoredAt,
  },
};

/** Without the proof, which has some thousand digits. */
export const evidence: EvidenceFile = {
  _format: 'svc-evidence:v1',
  receipt,
  commitment: null,
  tombstone: null,
  wait: 'the proof is being made',
};

/** The round was in August 2023, so it opens (`vectors/valid/openings.json`). */
export const opening: OpeningFile = {
  _format: 'svc-opening:v1',
  _what_this_is:
    'The words of a sealed etch, encrypted to a round of a drand chain: from that round on anybody who has this file can open it, without the service that made it. It outlives a retraction. Nobody can test it before that round; if it then holds something else, its signature proves who made it.',
  etch_id: '47f16297-17dc-4103-ac0f-4471b1951200',
  hash: '89f32e7c77dc8e7e855f559c425636ef7e4d9fb9e6514ae1d73227d67102c49f',
  chain_hash: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
  round: 1000,
  ciphertext:
    '-----BEGIN AGE ENCRYPTED FILE-----\nYWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHRsb2NrIDEwMDAgNTJkYjliYTcwZTBj\nYzBmNmVhZjc4MDNkZDA3NDQ3YTFmNTQ3NzczNWZkM2Y2NjE3OTJiYTk0NjAwYzg0\nZTk3MQpySU9wb0Fsc05mVllmblB1WDNkL3Fhd0JzZkhTUDUwWEFDMmp4cllDMTZE\nNTdSdGFVai9oVEdpVUVYcGxEVVU4CkRuZk1QUzFGMnR1M3VDMHVDU1llTmY4anlu\nVGpIQW01N3pFcXYveGFQVnlVVE42SkxOTFZ1QW5KTG4wM2FMZEEKSFdpUWgrQ3J3\nNnAwdDdzdWpYcXdQUHlaSlZ6b1VjWTVRYWloeFJEM0Y1cwotLS0gQ2JiNDczejJm\nSUZ0VC9ndy9rR3JrMHZIeVBsNEJpLzFLNUFnT2ZnK3I4QQqE/+0/eOja4jDNxW6A\nA8xEVqqo8rlwtq8ADga9ZqG3748hCN7CKabydiAiljAd4UORUZf95AxgAJ9yBaLG\nIX0BkcLyv33PsB2Wa+AzYKFN540uCMV+ybnqEjcH6+4aw4v4IptYrJFIBeClvfXH\n5zjnVY3NWCwCHzklKoY5TgRP3uJhNnkwEMoOEoRxvZHRCZ1lByxf2RRZstAgv8Nn\naxU7phqHqB8y3QUj/E51/HuKIbsxb9Si4X3OCMb/K24=\n-----END AGE ENCRYPTED FILE-----\n',
  public_key: 'bcbac5ed78e4a2082c221f6298bc146539977bc176167686437d09b5981865ab',
  signature:
    'e666f26313b2c65368772c8f7a83f6deb2e89a977c81687fd3098f95f12a1111b97c8cc41f8af9c8d346946c4769530632d9f96f7ff8655d742e0eef54b9b20f',
};

export const beacon: Beacon = {
  chain: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
  round: 1000,
  signature:
    'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39',
};

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
