import { Type, type Static } from 'typebox';
import { Hex32, Time, Uuid, chainHex32, shape, told } from '../fields.ts';
import { TreeSize, TreeVersion } from './chain.ts';

/** The leaves of a tree: 0 etches, 1 tombstones of retracted etches. */
export const BatchKind = Type.Union([Type.Literal(0), Type.Literal(1)], {
  description: '0: etches, 1: tombstones.',
});

const batchFields = {
  root: told(Hex32, 'The Merkle root that was attested.'),
  kind: BatchKind,
  tree_version: TreeVersion,
  tree_size: TreeSize,
  attestation_uid: chainHex32("The root's attestation."),
  tx_hash: chainHex32('The transaction that holds it.'),
  anchored_at: told(Time, 'The time of its block.'),
};

export const Batch = shape('Batch', batchFields, 'One anchored tree.');
export type Batch = Static<typeof Batch>;

const leafHash = told(Hex32, "The etch's hash.");

export const LeafV1 = shape('LeafV1', { hash: leafHash }, 'What a leaf of tree version 1 is made of.');
export const LeafV2 = shape(
  'LeafV2',
  { user_id: told(Uuid, "The etch's author."), hash: leafHash },
  'What a leaf of tree version 2 is made of.',
);

export const BatchDetail = shape(
  'BatchDetail',
  {
    ...batchFields,
    leaves: Type.Union(
      [
        Type.Array(LeafV2, { description: 'Tree version 2.' }),
        Type.Array(LeafV1, { description: 'Tree version 1.' }),
      ],
      { description: 'What the leaves are made of, in no order that matters.' },
    ),
  },
  'An anchored tree with what its leaves are made of, so that anyone can fold it again.',
);
export type BatchDetail = Static<typeof BatchDetail>;
