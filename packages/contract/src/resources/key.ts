import { Type, type Static } from 'typebox';
import { Time, Uuid, nullable, oneOf, shape, told } from '../fields.ts';

export const SCOPES = ['read', 'write'] as const;
export type Scope = (typeof SCOPES)[number];

export const KEY_NAME_MAX = 64;
export const KEY_PREFIX = 'svc_sk_';

const keyFields = {
  id: told(Uuid, "The key's id, by which it is revoked."),
  name: Type.String({ description: 'The name it was given.' }),
  scope: oneOf(SCOPES, '`read` only reads; `write` may do everything.'),
  prefix: Type.String({
    pattern: `^${KEY_PREFIX}`,
    description: 'The first 12 characters of the key value.',
  }),
  created_at: told(Time, 'When it was issued.'),
  last_used_at: nullable(Time, 'When it was last used, written down a little later; null before.'),
};

export const Key = shape('Key', keyFields, 'An API key; its value is stored hashed and never shown again.');
export type Key = Static<typeof Key>;

export const ListedKey = shape(
  'ListedKey',
  { ...keyFields, revoked_at: nullable(Time, 'When it was revoked; null while it is good.') },
  'An API key in the list, where revoked ones stay.',
);
export type ListedKey = Static<typeof ListedKey>;

export const ApiKeyValue = Type.String({
  pattern: `^${KEY_PREFIX}`,
  description: 'The key value, shown this once.',
});
