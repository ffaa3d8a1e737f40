import { RECEIPT_FORMAT } from '@svc/protocol';
import { Type, type Static } from 'typebox';
import {
  Address,
  ChainHex32,
  Hex32,
  hex32,
  Time,
  Url,
  Username,
  Uuid,
  nullable,
  oneOf,
  shape,
} from '../fields.ts';
import { Proof, TreeSize, TreeVersion } from './chain.ts';
import { ContentSignature, EtchStatusField } from './etch.ts';

export const ReceiptInclusion = shape('ReceiptInclusion', {
  root: Hex32,
  proof: Proof,
  tree_size: TreeSize,
  tree_version: TreeVersion,
  leaf_rule: Type.String({ description: 'How the leaf is made, in words.' }),
  node_rule: Type.String({ description: 'How two hashes are folded, in words.' }),
});
export type ReceiptInclusion = Static<typeof ReceiptInclusion>;

export const TreeRevocation = shape(
  'TreeRevocation',
  {
    retracted_at: Time,
    root: nullable(Hex32),
    proof: nullable(Proof),
    tree_size: nullable(TreeSize),
    tree_version: nullable(TreeVersion),
    attestation_uid: nullable(ChainHex32),
    tx_hash: nullable(ChainHex32),
    kind: Type.Literal(1),
  },
  'A retraction through a tree of tombstones; its anchoring fields are null until that tree is anchored.',
);

export const DirectRevocation = shape(
  'DirectRevocation',
  {
    retracted_at: Time,
    attestation_uid: nullable(ChainHex32),
    tx_hash: nullable(ChainHex32),
    kind: Type.Null(),
  },
  "A retraction by revoking the etch's own attestation.",
);

export const ReceiptRevocation = Type.Union([TreeRevocation, DirectRevocation]);
export type ReceiptRevocation = Static<typeof ReceiptRevocation>;

export const ReceiptChain = shape('ReceiptChain', {
  name: Type.String(),
  chain_id: Type.Integer({ minimum: 1 }),
  attestation_contract: Address,
  schema_uid: ChainHex32,
  attestation_uid: nullable(ChainHex32),
  expect_onchain: nullable(hex32("The first 32 bytes of the attestation's data.")),
  relayer: Address,
  tx_hash: nullable(ChainHex32),
  anchored_at: nullable(Time),
});
export type ReceiptChain = Static<typeof ReceiptChain>;

export const ReceiptAuthor = shape('ReceiptAuthor', { user_id: Uuid, username: Username });

export const Receipt = shape(
  'Receipt',
  {
    _format: oneOf([RECEIPT_FORMAT]),
    _what_this_is: Type.String({ description: 'Instructions.' }),
    _verify_without_etch: Url,
    etch_id: Uuid,
    status: EtchStatusField,
    author: ReceiptAuthor,
    canonical_string: nullable(Type.String()),
    hash: Hex32,
    inclusion: nullable(ReceiptInclusion),
    revocation: nullable(ReceiptRevocation),
    signature: nullable(ContentSignature),
    chain: ReceiptChain,
  },
  'What a stranger needs to check an etch without the service.',
);
export type Receipt = Static<typeof Receipt>;
