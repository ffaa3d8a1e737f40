import { Type, type Static } from 'typebox';
import { Count, chainHex32, flag, nullable, oneOf, shape, doc } from '../fields.ts';
import { Receipt } from './receipt.ts';

const bytes = (description: string) => Type.String({ pattern: '^0x(?:[0-9a-f]{2})*$', description });
const lowerAddress = (description: string) => Type.String({ pattern: '^0x[0-9a-f]{40}$', description });
const seconds = (description: string) => doc(Count, `${description}, in seconds since 1970.`);

export const UidPreimage = shape('UidPreimage', "The fields whose hash is the attestation's uid.", {
  schema: chainHex32('Its schema.'),
  recipient: lowerAddress('The recipient; zero.'),
  attester: lowerAddress('The attester: a relayer of the service.'),
  time: seconds('The time of its block'),
  expiration_time: seconds('When it expires, or zero for never'),
  revocable: flag('Can it be revoked? False for trees.'),
  ref_uid: chainHex32('The attestation it refers to; zero.'),
  data: bytes("The attestation's data."),
  bump: doc(Count, 'Equal attestations of that block before this one.'),
});

const logProof = {
  header: bytes("The block's header in RLP."),
  transaction_index: doc(Count, "The transaction's index in the block."),
  nodes: Type.Array(bytes("A node of the block's receipt trie in RLP."), {
    minItems: 1,
    maxItems: 16,
    description: 'From the root to the leaf.',
  }),
  log: doc(Count, "The log's index in the transaction's receipt."),
};

export const AttestationProof = shape('AttestationProof', 'Proof that a block contains an attestation.', {
  ...logProof,
  preimage: UidPreimage,
});

export const RevocationProof = shape(
  'RevocationProof',
  'Proof that a block contains the revocation of an attestation.',
  logProof,
);

export const Witness = shape(
  'Witness',
  'An independent statement about when the data of an attestation existed.',
  {
    of: oneOf(['commitment', 'tombstone'], 'The attestation that it vouches for.'),
    kind: Type.String({
      pattern: '^[a-z0-9-]{1,32}$',
      description:
        "`rfc3161`: a time-stamp token over the 128 bytes of the attestation's data; `ots`: an OpenTimestamps file of their SHA-256.",
    }),
    proof: bytes('The signed token or the file.'),
  },
);

export const EvidenceFile = shape(
  'EvidenceFile',
  'A receipt with proofs of its attestations. A reader needs only the hashes of their blocks.',
  {
    _format: oneOf(['svc-evidence:v1'], 'What this file is.'),
    receipt: Receipt,
    commitment: nullable(AttestationProof, "Proof of the etch's attestation; null until it exists."),
    tombstone: Type.Union([AttestationProof, RevocationProof, Type.Null()], {
      description: 'Proof of its retraction; null without a retraction or until it exists.',
    }),
    witnesses: Type.Optional(
      Type.Array(Witness, { minItems: 1, maxItems: 16, description: 'Absent if there are none.' }),
    ),
    wait: Type.Optional(
      Type.String({ maxLength: 200, description: 'Why a proof is missing; absent if none is missing.' }),
    ),
  },
);
export type EvidenceFile = Static<typeof EvidenceFile>;
