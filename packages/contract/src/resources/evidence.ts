import { Type, type Static } from 'typebox';
import { chainHex32, nullable, oneOf, shape } from '../fields.ts';
import { Receipt } from './receipt.ts';

const bytes = (description: string) => Type.String({ pattern: '^0x(?:[0-9a-f]{2})*$', description });
const lowerAddress = (description: string) => Type.String({ pattern: '^0x[0-9a-f]{40}$', description });
const seconds = (description: string) =>
  Type.Integer({ minimum: 0, description: `${description}, in seconds since 1970.` });

export const UidPreimage = shape(
  'UidPreimage',
  {
    schema: chainHex32('The schema it was made under.'),
    recipient: lowerAddress('Whom it is about; zero.'),
    attester: lowerAddress('Who made it: a relayer of the service.'),
    time: seconds('The time of its block'),
    expiration_time: seconds('When it expires, or zero for never'),
    revocable: Type.Boolean({ description: 'May it be revoked? Those of trees may not.' }),
    ref_uid: chainHex32('The attestation it refers to; zero.'),
    data: bytes("The attestation's data."),
    bump: Type.Integer({ minimum: 0, description: 'Equal attestations of that block before this one.' }),
  },
  "What an attestation's uid is the hash of.",
);

const logProof = {
  header: bytes("The block's header in RLP."),
  transaction_index: Type.Integer({ minimum: 0, description: "The transaction's place in the block." }),
  nodes: Type.Array(bytes("A node of the block's receipt trie in RLP."), {
    minItems: 1,
    maxItems: 16,
    description: 'From the root to the leaf.',
  }),
  log: Type.Integer({ minimum: 0, description: "The log's place in that transaction's receipt." }),
};

export const AttestationProof = shape(
  'AttestationProof',
  { ...logProof, preimage: UidPreimage },
  'That a block holds an attestation.',
);

export const RevocationProof = shape(
  'RevocationProof',
  logProof,
  'That a block holds the revocation of an attestation.',
);

export const Witness = shape(
  'Witness',
  {
    of: oneOf(['commitment', 'tombstone'], 'Which attestation it is about.'),
    kind: Type.String({
      pattern: '^[a-z0-9-]{1,32}$',
      description: "`rfc3161`: a time-stamp token over the 128 bytes of the attestation's data.",
    }),
    proof: bytes('What they signed.'),
  },
  "Somebody else's word on when the data of an attestation existed.",
);

export const EvidenceFile = shape(
  'EvidenceFile',
  {
    _format: oneOf(['svc-evidence:v1'], 'What this file is.'),
    receipt: Receipt,
    commitment: nullable(AttestationProof, "Proof of the etch's attestation; null while it is missing."),
    tombstone: Type.Union([AttestationProof, RevocationProof, Type.Null()], {
      description: 'Proof of its retraction; null without one, and while it is missing.',
    }),
    witnesses: Type.Optional(
      Type.Array(Witness, { minItems: 1, maxItems: 16, description: 'Not there without any.' }),
    ),
    wait: Type.Optional(
      Type.String({ maxLength: 200, description: 'Why a proof is missing; there only while one is.' }),
    ),
  },
  'A receipt with what proves its attestations by the hashes of their blocks alone.',
);
export type EvidenceFile = Static<typeof EvidenceFile>;
