import { Type, type Static } from 'typebox';
import { hex32, shape } from '../fields.ts';

export const Beacon = shape(
  'Beacon',
  {
    chain: hex32('The drand chain.'),
    round: Type.Integer({ minimum: 1, maximum: 9_999_999_999, description: 'The round.' }),
    signature: Type.String({
      pattern: '^[0-9a-f]{96}$',
      description: "The chain's signature of the round; it decrypts texts encrypted to the round.",
    }),
  },
  "A round of a drand chain. The chain's public key alone verifies its signature.",
);
export type Beacon = Static<typeof Beacon>;
