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
  text,
  doc,
} from '../fields.ts';
import { Proof, TreeSize, TreeVersion } from './chain.ts';
import { ContentSignature, EtchStatusField } from './etch.ts';

export const ReceiptInclusion = shape('ReceiptInclusion', "The etch's position in its tree.", {
  root: hex32('The Merkle root that the proof folds to.'),
  proof: Proof,
  tree_size: TreeSize,
  tree_version: TreeVersion,
  leaf_rule: text('How the leaf is computed, in words.'),
  node_rule: text('How two hashes are folded, in words.'),
});

const retracted_at = doc(Time, 'When it was retracted.');

export const TreeRevocation = shape(
  'TreeRevocation',
  'A retraction through a tree of tombstones; its anchoring fields are null until that tree is anchored.',
  {
    retracted_at,
    root: nullable(Hex32, 'The root of the tree of tombstones.'),
    proof: nullable(Proof, 'Sibling hashes in fold order, from the tombstone to that root.'),
    tree_size: nullable(TreeSize),
    tree_version: nullable(TreeVersion),
    attestation_uid: nullable(chainHex32('The attestation of that root.')),
    tx_hash: nullable(chainHex32('Its transaction.')),
    kind: Type.Literal(1, { description: 'The kind of an attestation of tombstones.' }),
  },
);

export const DirectRevocation = shape(
  'DirectRevocation',
  "A retraction by revoking the etch's own attestation.",
  {
    retracted_at,
    attestation_uid: nullable(chainHex32('The attestation that was revoked.')),
    tx_hash: nullable(chainHex32('The transaction that revoked it; null until it is on the chain.')),
    kind: Type.Null({ description: 'Always null: there is no tree of tombstones.' }),
  },
);

export const ReceiptRevocation = Type.Union([TreeRevocation, DirectRevocation]);

export const ReceiptChain = shape('ReceiptChain', 'The chain, the contract and the attestation to check.', {
  name: text("The chain's name."),
  chain_id: Type.Integer({ minimum: 1, description: "The chain's id." }),
  attestation_contract: doc(Address, 'The contract that holds the attestation.'),
  schema_uid: chainHex32('The schema of the attestation.'),
  attestation_uid: nullable(chainHex32('The attestation to read; null until it exists.')),
  expect_onchain: nullable(hex32("The first 32 bytes of the attestation's data.")),
  relayer: doc(Address, 'The accounts that may have made the attestation.'),
  tx_hash: nullable(chainHex32('The transaction that holds the attestation.')),
  anchored_at: nullable(Time, "The time of the attestation's block."),
});

export const ReceiptAuthor = shape('ReceiptAuthor', 'The author of the etch.', {
  user_id: doc(Uuid, "The author's id, as in the canonical string."),
  username: doc(Username, "The author's username."),
});

export const Receipt = shape('Receipt', 'Everything that is needed to check an etch without the service.', {
  _format: oneOf([RECEIPT_FORMAT], 'What this file is.'),
  _what_this_is: text('Instructions.'),
  _verify_without_etch: doc(Url, 'A page that checks receipts in the browser; no account is needed.'),
  etch_id: doc(Uuid, "The etch's id."),
  status: EtchStatusField,
  author: ReceiptAuthor,
  canonical_string: nullable(
    Type.String(),
    'The exact string that was hashed; null while sealed and after a retraction.',
  ),
  hash: hex32('SHA-256 of the canonical string.'),
  inclusion: nullable(
    ReceiptInclusion,
    "The etch's position in its tree; null while pending, and for an etch with its own attestation.",
  ),
  revocation: nullable(ReceiptRevocation, 'Its retraction; null without one.'),
  signature: nullable(
    ContentSignature,
    "The author's signature; null if it is not signed, while sealed, and after a retraction.",
  ),
  chain: ReceiptChain,
  former: Type.Optional(
    Type.Array(ReceiptChain, {
      minItems: 1,
      maxItems: 16,
      description:
        'Its attestations on chains that the service left, the first one first: the first time. Absent if the service left none.',
    }),
  ),
});
export type Receipt = Static<typeof Receipt>;
