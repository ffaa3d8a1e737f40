import type { OPENING_TAG } from '@svc/protocol/timelock';
import { Type, type Static } from 'typebox';
import { Hex64, Uuid, hex32, oneOf, shape, text, doc } from '../fields.ts';

export const OpeningFile = shape(
  'OpeningFile',
  'A file that opens a sealed etch from its reveal time on, without the service. Anyone who has the file can open it then, even after a retraction.',
  {
    _format: oneOf(['svc-opening:v1' satisfies typeof OPENING_TAG], 'What this file is.'),
    _what_this_is: text('The same sentence in every opening.'),
    etch_id: doc(Uuid, 'The etch that it opens.'),
    hash: hex32("The etch's hash."),
    chain_hash: hex32('The drand chain.'),
    round: Type.Integer({
      minimum: 1,
      maximum: 9_999_999_999,
      description: 'Its first round at or after the reveal time.',
    }),
    ciphertext: text(
      'The canonical string encrypted to that round, as an armored age file with one tlock stanza.',
    ),
    public_key: hex32("The key that signs the service's promises."),
    signature: doc(Hex64, 'Its Ed25519 signature over the fields of the file.'),
  },
);
export type OpeningFile = Static<typeof OpeningFile>;

export const Beacon = shape(
  'Beacon',
  "A round of a drand chain. The chain's public key alone verifies its signature.",
  {
    chain: hex32('The drand chain.'),
    round: Type.Integer({ minimum: 1, maximum: 9_999_999_999, description: 'The round.' }),
    signature: Type.String({
      pattern: '^[0-9a-f]{96}$',
      description: "The chain's signature of the round; it decrypts texts encrypted to the round.",
    }),
  },
);
export type Beacon = Static<typeof Beacon>;
