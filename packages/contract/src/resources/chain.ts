import { MAX_PROOF_LENGTH, MAX_TREE_SIZE } from '@svc/protocol';
import { Type, type Static } from 'typebox';
import { Hex32, Time, Url, chainHex32, nullable, oneOf, shape } from '../fields.ts';

export const CHAIN_STATUSES = ['pending', 'anchored', 'failed'] as const;
export type ChainStatus = (typeof CHAIN_STATUSES)[number];

export const REVOCATION_STATUSES = ['none', 'pending', 'revoked', 'failed'] as const;
export type RevocationStatus = (typeof REVOCATION_STATUSES)[number];

export const TreeVersion = Type.Union([Type.Literal(1), Type.Literal(2)], {
  description: 'Which folding rules apply.',
});

export const Proof = Type.Array(Hex32, {
  maxItems: MAX_PROOF_LENGTH,
  description: 'Sibling hashes in fold order.',
});
export const TreeSize = Type.Integer({
  minimum: 1,
  maximum: MAX_TREE_SIZE,
  description: 'Leaves in the tree.',
});

export const Chain = shape(
  'Chain',
  {
    status: oneOf(
      CHAIN_STATUSES,
      '`pending` until its tree is attested. `failed` after an hour of failed attempts, which go on. While it is not `anchored`, what follows of the anchoring is null.',
    ),
    attestation_uid: nullable(chainHex32("The root's attestation, shared by every etch of the batch.")),
    tx_hash: nullable(chainHex32('The transaction that holds the attestation.')),
    anchored_at: nullable(Time, "The time of the attestation's block."),
    revocation_status: oneOf(
      REVOCATION_STATUSES,
      '`none` unless the etch was retracted; then how far the anchoring of its tombstone is.',
    ),
    revocation_tx_hash: nullable(chainHex32("The transaction that holds the tombstone's attestation.")),
    revoked_onchain_at: nullable(Time, "The time of the tombstone's block: when the retraction is proven."),
    attscan_url: nullable(Url, 'The attestation at an explorer; null where none is set.'),
    tx_url: nullable(Url, 'The transaction at an explorer; null where none is set.'),
    revocation_tx_url: nullable(Url, "The tombstone's transaction at an explorer; null where none is set."),
    root: nullable(
      Hex32,
      'The anchored Merkle root; null for an etch with an attestation of its own, as are its proof and tree.',
    ),
    proof: nullable(Proof),
    tree_size: nullable(TreeSize),
    tree_version: nullable(TreeVersion),
    revocation_root: nullable(Hex32, 'The root of the tree of tombstones that holds this one.'),
    revocation_proof: nullable(Proof, 'Sibling hashes in fold order, from the tombstone to that root.'),
    revocation_tree_version: nullable(TreeVersion, 'Which folding rules apply to that tree.'),
    revocation_attestation_uid: nullable(
      chainHex32(
        'The attestation of that root, shared by every tombstone in its tree. A tombstone counts once this is read on the chain.',
      ),
    ),
  },
  'Where an etch, and the tombstone of a retracted one, stand on the chain.',
);
export type Chain = Static<typeof Chain>;
