import { Type, type Static } from 'typebox';
import { Hex32, Time, Uuid, chainHex32, shape, told } from '../fields.ts';
import { TreeSize, TreeVersion } from './chain.ts';

export const BatchKind = Type.Union([Type.Literal(0), Type.Literal(1)], {
  description: '0: etches, 1: tombstones.',
});

const batchFields = {
  root: told(Hex32, 'The attested Merkle root.'),
  kind: BatchKind,
  tree_version: TreeVersion,
  tree_size: TreeSize,
  attestation_uid: chainHex32("The root's attestation."),
  tx_hash: chainHex32('Its transaction.'),
  anchored_at: told(Time, 'The time of its block.'),
};

export const Batch = shape('Batch', batchFields, 'One anchored tree.');
export type Batch = Static<typeof Batch>;

const leafHash = told(Hex32, "The etch's hash.");

export const LeafV1 = shape('LeafV1', { hash: leafHash }, 'The data of a leaf in tree version 1.');
export const LeafV2 = shape(
  'LeafV2',
  { user_id: told(Uuid, "The etch's author."), hash: leafHash },
  'The data of a leaf in tree version 2.',
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
      { description: 'The data of the leaves. Their order does not matter.' },
    ),
  },
  'An anchored tree with the data of its leaves, so that anyone can recompute the root.',
);
export type BatchDetail = Static<typeof BatchDetail>;
