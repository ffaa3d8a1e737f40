import { Type, type Static } from 'typebox';
import { ChainHex32, Hex32, chainHex32, Time, Url, nullable, oneOf, shape } from '../fields.ts';

export const CHAIN_STATUSES = ['pending', 'anchored', 'failed'] as const;
export type ChainStatus = (typeof CHAIN_STATUSES)[number];

export const REVOCATION_STATUSES = ['none', 'pending', 'revoked', 'failed'] as const;
export type RevocationStatus = (typeof REVOCATION_STATUSES)[number];

export const TreeVersion = Type.Union([Type.Literal(1), Type.Literal(2)], {
  description: 'Which folding rules apply.',
});

/** A tree holds at most 10,000 leaves, so a proof at most 14 siblings. */
export const Proof = Type.Array(Hex32, { maxItems: 14, description: 'Sibling hashes in fold order.' });
export const TreeSize = Type.Integer({ minimum: 1, maximum: 10_000, description: 'Leaves in the tree.' });

export const Chain = shape(
  'Chain',
  {
    status: oneOf(CHAIN_STATUSES),
    attestation_uid: nullable(chainHex32("The root's attestation, shared by every etch of the batch.")),
    tx_hash: nullable(ChainHex32),
    anchored_at: nullable(Time),
    revocation_status: oneOf(REVOCATION_STATUSES),
    revocation_tx_hash: nullable(ChainHex32),
    revoked_onchain_at: nullable(Time),
    attscan_url: nullable(Url),
    tx_url: nullable(Url),
    revocation_tx_url: nullable(Url),
    root: nullable(Hex32),
    proof: nullable(Proof),
    tree_size: nullable(TreeSize),
    tree_version: nullable(TreeVersion),
    revocation_root: nullable(Hex32),
    revocation_proof: nullable(Proof),
    revocation_tree_version: nullable(TreeVersion),
    revocation_attestation_uid: nullable(ChainHex32),
  },
  'Where an etch, and the tombstone of a retracted one, stand on the chain.',
);
export type Chain = Static<typeof Chain>;
