import { Type, type Static } from 'typebox';
import { ChainHex32, nullable, oneOf, shape } from '../fields.ts';
import { Receipt } from './receipt.ts';

const bytes = (description: string) => Type.String({ pattern: '^0x(?:[0-9a-f]{2})*$', description });
const LowerAddress = Type.String({ pattern: '^0x[0-9a-f]{40}$' });
const Place = Type.Integer({ minimum: 0 });
const Seconds = Type.Integer({ minimum: 0, description: 'Seconds since 1970.' });

export const UidPreimage = shape(
  'UidPreimage',
  {
    schema: ChainHex32,
    recipient: LowerAddress,
    attester: LowerAddress,
    time: Seconds,
    expiration_time: Seconds,
    revocable: Type.Boolean(),
    ref_uid: ChainHex32,
    data: bytes("The attestation's data."),
    bump: Type.Integer({ minimum: 0, description: 'Equal attestations of that block before this one.' }),
  },
  "What an attestation's uid is the hash of.",
);

const logProof = {
  header: bytes("The block's header in RLP."),
  transaction_index: Place,
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
    of: oneOf(['commitment', 'tombstone']),
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
    _format: oneOf(['svc-evidence:v1']),
    receipt: Receipt,
    commitment: nullable(AttestationProof),
    tombstone: Type.Union([AttestationProof, RevocationProof, Type.Null()]),
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
