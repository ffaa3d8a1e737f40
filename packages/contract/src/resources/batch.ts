import { Type, type Static } from 'typebox';
import { ChainHex32, Hex32, Time, Uuid, shape } from '../fields.ts';
import { TreeSize, TreeVersion } from './chain.ts';

/** What a tree's leaves are: 0 etches, 1 tombstones of retracted etches. */
export const BatchKind = Type.Union([Type.Literal(0), Type.Literal(1)], {
  description: '0: etches, 1: tombstones.',
});

const batchFields = {
  root: Hex32,
  kind: BatchKind,
  tree_version: TreeVersion,
  tree_size: TreeSize,
  attestation_uid: ChainHex32,
  tx_hash: ChainHex32,
  anchored_at: Time,
};

export const Batch = shape('Batch', batchFields, 'One anchored tree.');
export type Batch = Static<typeof Batch>;

export const LeafV1 = shape('LeafV1', { hash: Hex32 });
export const LeafV2 = shape('LeafV2', { user_id: Uuid, hash: Hex32 });

/** A tree with what its leaves are made of, so that anyone can fold it again. */
export const BatchDetail = shape('BatchDetail', {
  ...batchFields,
  leaves: Type.Union([
    Type.Array(LeafV2, { description: 'Tree version 2.' }),
    Type.Array(LeafV1, { description: 'Tree version 1.' }),
  ]),
});
export type BatchDetail = Static<typeof BatchDetail>;
