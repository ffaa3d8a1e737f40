import { Type, type Static } from 'typebox';
import { Time, Uuid, nullable, oneOf, shape } from '../fields.ts';

export const SCOPES = ['read', 'write'] as const;
export type Scope = (typeof SCOPES)[number];

export const KEY_NAME_MAX = 64;
export const KEY_PREFIX = 'svc_sk_';

const keyFields = {
  id: Uuid,
  name: Type.String(),
  scope: oneOf(SCOPES),
  prefix: Type.String({
    pattern: `^${KEY_PREFIX}`,
    description: 'The first 12 characters of the key value.',
  }),
  created_at: Time,
  last_used_at: nullable(Time),
};

export const Key = shape('Key', keyFields, 'An API key; its value is stored hashed and never shown again.');
export type Key = Static<typeof Key>;

export const ListedKey = shape('ListedKey', { ...keyFields, revoked_at: nullable(Time) });
export type ListedKey = Static<typeof ListedKey>;

export const ApiKeyValue = Type.String({
  pattern: `^${KEY_PREFIX}`,
  description: 'The key value, shown this once.',
});
