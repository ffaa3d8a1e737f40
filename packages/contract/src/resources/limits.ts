import { Type, type Static } from 'typebox';
import { Uuid, oneOf, shape, told } from '../fields.ts';
import { ASSURANCES, Kind, Verified } from './author.ts';
import { SCOPES } from './key.ts';

export const LimitsAccount = shape(
  'LimitsAccount',
  {
    kind: Kind,
    assurance: oneOf(
      ASSURANCES,
      "What the account rests on: a person's sign-in, a bare keypair, or a keypair that a domain or operator vouches for.",
    ),
    verified: Verified,
  },
  'What the allowances depend on.',
);

export const Allowance = shape(
  'Allowance',
  {
    per_day: Type.Number({ minimum: 0, description: 'Etches a day, and the size of the bucket.' }),
    remaining: Type.Number({ minimum: 0, description: 'Etches left now.' }),
    refill_per_hour: Type.Number({
      minimum: 0,
      description: 'Etches that come back each hour; may be fractional.',
    }),
  },
  'How much may be etched.',
);
export type Allowance = Static<typeof Allowance>;

export const SessionCredential = shape(
  'SessionCredential',
  { type: oneOf(['session'], 'A session.') },
  'A session token of the identity provider.',
);
export const KeyCredential = shape(
  'KeyCredential',
  {
    type: oneOf(['api_key'], 'An API key.'),
    scope: oneOf(SCOPES, "The key's scope."),
    key_id: told(Uuid, "The key's id."),
  },
  'An API key.',
);

export const Limits = shape(
  'Limits',
  {
    account: LimitsAccount,
    etches: Allowance,
    authenticated_with: Type.Union([SessionCredential, KeyCredential], {
      description: 'What the request was made with.',
    }),
  },
  "The caller's allowances.",
);
export type Limits = Static<typeof Limits>;
