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
      "How the account is vouched for: a person's sign-in, a keypair, or a keypair with a domain or an operator.",
    ),
    verified: Verified,
  },
  'The attributes that determine the allowances.',
);

export const Allowance = shape(
  'Allowance',
  {
    per_day: Type.Number({
      minimum: 0,
      description: 'Etches per day, which is also the size of the bucket.',
    }),
    remaining: Type.Number({ minimum: 0, description: 'Etches that remain now.' }),
    refill_per_hour: Type.Number({
      minimum: 0,
      description: 'Etches that are added each hour; may be fractional.',
    }),
  },
  'The allowance for etches.',
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
      description: 'The credentials of the request.',
    }),
  },
  "The caller's allowances.",
);
export type Limits = Static<typeof Limits>;
