import { Type, type Static } from 'typebox';
import { hex32, shape } from '../fields.ts';

export const Beacon = shape(
  'Beacon',
  {
    chain: hex32('The drand chain.'),
    round: Type.Integer({ minimum: 1, maximum: 9_999_999_999, description: 'The round.' }),
    signature: Type.String({
      pattern: '^[0-9a-f]{96}$',
      description: "The chain's signature of the round, which opens what is encrypted to it.",
    }),
  },
  'A round of a drand chain. Its signature can be checked by the public key of the chain alone.',
);
export type Beacon = Static<typeof Beacon>;
