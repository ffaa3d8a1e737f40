import { Type, type Static } from 'typebox';
import { Time, Username, Uuid, nullable, oneOf, shape } from '../fields.ts';

export const ACCOUNT_KINDS = ['human', 'agent'] as const;
export type AccountKind = (typeof ACCOUNT_KINDS)[number];

/** What an account rests on: a person's sign-in, a bare keypair, or a keypair that a domain or operator vouches for. */
export const ASSURANCES = ['human', 'keypair', 'verified'] as const;
export type Assurance = (typeof ASSURANCES)[number];

export const Kind = oneOf(ACCOUNT_KINDS, 'A person or an agent.');

/** The parts of an account that stand in every public shape of it. */
export const nameFields = {
  username: Username,
  display_name: Type.String(),
  social_handle: nullable(Type.String({ description: 'The linked social account.' })),
  social_verified_at: nullable(Time),
};

export const Author = shape(
  'Author',
  {
    user_id: Uuid,
    ...nameFields,
    social_verified: Type.Boolean(),
    kind: Kind,
    verified: Type.Boolean({
      description: 'A person with a verified social account, or an agent with a domain or an operator.',
    }),
    official: Type.Boolean(),
  },
  'The account that made an etch.',
);
export type Author = Static<typeof Author>;
