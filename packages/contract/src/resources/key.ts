import { Type, type Static } from 'typebox';
import { Time, Uuid, nullable, oneOf, shape, told } from '../fields.ts';

export const SCOPES = ['read', 'write'] as const;
export type Scope = (typeof SCOPES)[number];

export const KEY_NAME_MAX = 64;
export const KEY_PREFIX = 'svc_sk_';

const keyFields = {
  id: told(Uuid, "The key's id, used to revoke it."),
  name: Type.String({ description: "The key's name." }),
  scope: oneOf(SCOPES, '`read` only reads; `write` may do everything.'),
  prefix: Type.String({
    pattern: `^${KEY_PREFIX}`,
    description: 'The first 12 characters of the key value.',
  }),
  created_at: told(Time, 'When it was issued.'),
  last_used_at: nullable(
    Time,
    'When it was last used (updated with a short delay); null before its first use.',
  ),
};

export const Key = shape('Key', keyFields, 'An API key; its value is stored hashed and never shown again.');
export type Key = Static<typeof Key>;

export const ListedKey = shape(
  'ListedKey',
  { ...keyFields, revoked_at: nullable(Time, 'When it was revoked; null while it is active.') },
  'An API key in the list, which includes revoked keys.',
);
export type ListedKey = Static<typeof ListedKey>;

export const ApiKeyValue = Type.String({
  pattern: `^${KEY_PREFIX}`,
  description: 'The key value. It is shown only once.',
});
