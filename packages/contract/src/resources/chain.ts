import { MAX_PROOF_LENGTH, MAX_TREE_SIZE } from '@svc/protocol';
import { Type, type Static } from 'typebox';
import { Hex32, Time, Url, Uuid, chainHex32, listOf, nullable, oneOf, shape, doc } from '../fields.ts';

export const CHAIN_STATUSES = ['pending', 'anchored', 'failed'] as const;

export const REVOCATION_STATUSES = ['none', 'pending', 'revoked', 'failed'] as const;

export const TreeVersion = Type.Union([Type.Literal(1), Type.Literal(2)], {
  description: 'The folding rules of the tree.',
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

export const Chain = shape('Chain', 'The anchoring of an etch and, if it was retracted, of its tombstone.', {
  status: oneOf(
    CHAIN_STATUSES,
    '`pending` until the tree is attested. `failed` after an hour of failed attempts; attempts continue. Until it is `anchored`, the anchoring fields are null.',
  ),
  attestation_uid: nullable(chainHex32("The root's attestation, shared by every etch of the batch.")),
  tx_hash: nullable(chainHex32('The transaction that holds the attestation.')),
  anchored_at: nullable(Time, "The time of the attestation's block."),
  revocation_status: oneOf(
    REVOCATION_STATUSES,
    "`none` unless the etch was retracted; then the state of its tombstone's anchoring.",
  ),
  revocation_tx_hash: nullable(chainHex32("The transaction that holds the tombstone's attestation.")),
  revoked_onchain_at: nullable(Time, "The time of the tombstone's block: when the retraction is proven."),
  attscan_url: nullable(Url, 'The attestation in a block explorer; null if the service has none.'),
  tx_url: nullable(Url, 'The transaction in a block explorer; null if the service has none.'),
  revocation_tx_url: nullable(
    Url,
    "The tombstone's transaction in a block explorer; null if the service has none.",
  ),
  root: nullable(
    Hex32,
    'The anchored Merkle root. Root, proof and tree are null for an etch with its own attestation.',
  ),
  proof: nullable(Proof),
  tree_size: nullable(TreeSize),
  tree_version: nullable(TreeVersion),
  revocation_root: nullable(Hex32, 'The root of the tree that contains this tombstone.'),
  revocation_proof: nullable(Proof, 'Sibling hashes in fold order, from the tombstone to that root.'),
  revocation_tree_version: nullable(TreeVersion, 'The folding rules of that tree.'),
  revocation_attestation_uid: nullable(
    chainHex32(
      'The attestation of that root, shared by every tombstone in its tree. A tombstone counts once this attestation is read from the chain.',
    ),
  ),
});
export type Chain = Static<typeof Chain>;

const BatchKind = Type.Union([Type.Literal(0), Type.Literal(1)], {
  description: '0: etches, 1: tombstones.',
});

const batchFields = {
  root: doc(Hex32, 'The attested Merkle root.'),
  kind: BatchKind,
  tree_version: TreeVersion,
  tree_size: TreeSize,
  attestation_uid: chainHex32("The root's attestation."),
  tx_hash: chainHex32('Its transaction.'),
  anchored_at: doc(Time, 'The time of its block.'),
};

export const Batch = shape('Batch', 'One anchored tree.', batchFields);
export type Batch = Static<typeof Batch>;

const leafHash = doc(Hex32, "The etch's hash.");

export const LeafV1 = shape('LeafV1', 'The data of a leaf in tree version 1.', { hash: leafHash });
export const LeafV2 = shape('LeafV2', 'The data of a leaf in tree version 2.', {
  user_id: doc(Uuid, "The etch's author."),
  hash: leafHash,
});

export const BatchDetail = shape(
  'BatchDetail',
  'An anchored tree with the data of its leaves, so that anyone can recompute the root.',
  {
    ...batchFields,
    leaves: Type.Union([listOf(LeafV2, 'Tree version 2.'), listOf(LeafV1, 'Tree version 1.')], {
      description: 'The data of the leaves. Their order does not matter.',
    }),
  },
);
export type BatchDetail = Static<typeof BatchDetail>;
