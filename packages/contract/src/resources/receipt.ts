import { RECEIPT_FORMAT } from '@svc/protocol';
import { Type, type Static } from 'typebox';
import {
  Address,
  Hex32,
  Time,
  Url,
  Username,
  Uuid,
  chainHex32,
  hex32,
  nullable,
  oneOf,
  shape,
  told,
} from '../fields.ts';
import { Proof, TreeSize, TreeVersion } from './chain.ts';
import { ContentSignature, EtchStatusField } from './etch.ts';

export const ReceiptInclusion = shape(
  'ReceiptInclusion',
  {
    root: hex32('The Merkle root that the proof folds to.'),
    proof: Proof,
    tree_size: TreeSize,
    tree_version: TreeVersion,
    leaf_rule: Type.String({ description: 'How the leaf is made, in words.' }),
    node_rule: Type.String({ description: 'How two hashes are folded, in words.' }),
  },
  'How the etch lies in its tree.',
);
export type ReceiptInclusion = Static<typeof ReceiptInclusion>;

const retracted_at = told(Time, 'When the author took it back.');

export const TreeRevocation = shape(
  'TreeRevocation',
  {
    retracted_at,
    root: nullable(Hex32, 'The root of the tree of tombstones.'),
    proof: nullable(Proof, 'Sibling hashes in fold order, from the tombstone to that root.'),
    tree_size: nullable(TreeSize),
    tree_version: nullable(TreeVersion),
    attestation_uid: nullable(chainHex32('The attestation of that root.')),
    tx_hash: nullable(chainHex32('The transaction that holds it.')),
    kind: Type.Literal(1, { description: 'That of an attestation of tombstones.' }),
  },
  'A retraction through a tree of tombstones; its anchoring fields are null until that tree is anchored.',
);

export const DirectRevocation = shape(
  'DirectRevocation',
  {
    retracted_at,
    attestation_uid: nullable(chainHex32('The attestation that was revoked.')),
    tx_hash: nullable(chainHex32('The transaction that revoked it; null until it is there.')),
    kind: Type.Null({ description: 'There is no tree of tombstones.' }),
  },
  "A retraction by revoking the etch's own attestation.",
);

export const ReceiptRevocation = Type.Union([TreeRevocation, DirectRevocation]);
export type ReceiptRevocation = Static<typeof ReceiptRevocation>;

export const ReceiptChain = shape(
  'ReceiptChain',
  {
    name: Type.String({ description: "The chain's name." }),
    chain_id: Type.Integer({ minimum: 1, description: "The chain's id." }),
    attestation_contract: told(Address, 'The contract that holds the attestation.'),
    schema_uid: chainHex32('The schema of the attestation.'),
    attestation_uid: nullable(chainHex32('The attestation to read; null until there is one.')),
    expect_onchain: nullable(hex32("The first 32 bytes of the attestation's data.")),
    relayer: told(Address, 'Who must have made the attestation.'),
    tx_hash: nullable(chainHex32('The transaction that holds the attestation.')),
    anchored_at: nullable(Time, "The time of the attestation's block."),
  },
  'Where on which chain to look, and for what.',
);
export type ReceiptChain = Static<typeof ReceiptChain>;

export const ReceiptAuthor = shape(
  'ReceiptAuthor',
  {
    user_id: told(Uuid, "The author's id, which stands in the canonical string."),
    username: told(Username, "The author's username."),
  },
  'Who made the etch.',
);

export const Receipt = shape(
  'Receipt',
  {
    _format: oneOf([RECEIPT_FORMAT], 'What this file is.'),
    _what_this_is: Type.String({ description: 'Instructions.' }),
    _verify_without_etch: told(Url, 'A page that checks receipts in the browser, without an account.'),
    etch_id: told(Uuid, "The etch's id."),
    status: EtchStatusField,
    author: ReceiptAuthor,
    canonical_string: nullable(
      Type.String(),
      'Exactly what was hashed; null while sealed and for ever after retraction.',
    ),
    hash: hex32('SHA-256 of the canonical string.'),
    inclusion: nullable(
      ReceiptInclusion,
      'How the etch lies in its tree; null while pending, and for an etch with an attestation of its own.',
    ),
    revocation: nullable(ReceiptRevocation, 'Its retraction; null without one.'),
    signature: nullable(
      ContentSignature,
      "The author's signature; null when not signed, while sealed and for ever after retraction.",
    ),
    chain: ReceiptChain,
  },
  'What a stranger needs to check an etch without the service.',
);
export type Receipt = Static<typeof Receipt>;
