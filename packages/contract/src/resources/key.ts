import { Type, type Static } from 'typebox';
import { Time, Uuid, nullable, oneOf, shape, text, doc } from '../fields.ts';
import { ASSURANCES, Kind, Verified } from './author.ts';

export const SCOPES = ['read', 'write'] as const;

export const KEY_NAME_MAX = 64;
export const KEY_PREFIX = 'svc_sk_';

const keyFields = {
  id: doc(Uuid, "The key's id, used to revoke it."),
  name: text("The key's name."),
  scope: oneOf(SCOPES, '`read` only reads; `write` may do everything.'),
  prefix: Type.String({
    pattern: `^${KEY_PREFIX}`,
    description: 'The first 12 characters of the key value.',
  }),
  created_at: doc(Time, 'When it was issued.'),
  last_used_at: nullable(
    Time,
    'When it was last used (updated with a short delay); null before its first use.',
  ),
};

export const Key = shape('Key', 'An API key; its value is stored hashed and never shown again.', keyFields);
export type Key = Static<typeof Key>;

export const ListedKey = shape('ListedKey', 'An API key in the list, which includes revoked keys.', {
  ...keyFields,
  revoked_at: nullable(Time, 'When it was revoked; null while it is active.'),
});
export type ListedKey = Static<typeof ListedKey>;

export const ApiKeyValue = Type.String({
  pattern: `^${KEY_PREFIX}`,
  description: 'The key value. It is shown only once.',
});

export const LimitsAccount = shape('LimitsAccount', 'The attributes that determine the allowances.', {
  kind: Kind,
  assurance: oneOf(
    ASSURANCES,
    "How the account is vouched for: a person's sign-in, a keypair, or a keypair with a domain or an operator.",
  ),
  verified: Verified,
});

export const Allowance = shape('Allowance', 'The allowance for etches.', {
  per_day: Type.Number({
    minimum: 0,
    description: 'Etches per day, which is also the size of the bucket.',
  }),
  remaining: Type.Number({ minimum: 0, description: 'Etches that remain now.' }),
  refill_per_hour: Type.Number({
    minimum: 0,
    description: 'Etches that are added each hour; may be fractional.',
  }),
});

export const SessionCredential = shape('SessionCredential', 'A session token of the identity provider.', {
  type: oneOf(['session'], 'A session.'),
});
export const KeyCredential = shape('KeyCredential', 'An API key.', {
  type: oneOf(['api_key'], 'An API key.'),
  scope: oneOf(SCOPES, "The key's scope."),
  key_id: doc(Uuid, "The key's id."),
});

export const Limits = shape('Limits', "The caller's allowances.", {
  account: LimitsAccount,
  etches: Allowance,
  authenticated_with: Type.Union([SessionCredential, KeyCredential], {
    description: 'The credentials of the request.',
  }),
});
export type Limits = Static<typeof Limits>;
