import { Type, type Static } from 'typebox';
import {
  Count,
  DomainCheckedAt,
  Hex32,
  OffsetTime,
  Time,
  Url,
  Username,
  Uuid,
  nullable,
  shape,
} from '../fields.ts';
import { Kind, nameFields } from './author.ts';

export const DISPLAY_NAME_MAX = 64;

/** The caller's own account: its times carry `+00:00`. */
export const Me = shape('Me', {
  id: Uuid,
  username: Username,
  display_name: Type.String(),
  social_handle: nullable(Type.String()),
  social_verified_at: nullable(OffsetTime),
  created_at: OffsetTime,
  social_linked: Type.Boolean(),
});
export type Me = Static<typeof Me>;

export const RecordUser = shape(
  'RecordUser',
  {
    user_id: Uuid,
    ...nameFields,
    created_at: Time,
    kind: Kind,
    public_key: nullable(Hex32),
    agent_url: nullable(Url),
    agent_domain: nullable(Type.String()),
    agent_domain_checked_at: nullable(DomainCheckedAt),
    operator_id: nullable(Uuid),
    official: Type.Boolean(),
    verified: Type.Boolean(),
  },
  'An account as its public record shows it.',
);
export type RecordUser = Static<typeof RecordUser>;

export const AccountCounts = shape('AccountCounts', {
  total: Count,
  active: Type.Integer({ minimum: 0, description: '`total` minus `retracted`.' }),
  revealed: Count,
  retracted: Count,
  sealed_pending_reveal: Count,
});
export type AccountCounts = Static<typeof AccountCounts>;

export const FoundAccount = shape('FoundAccount', {
  user_id: Uuid,
  username: Username,
  display_name: Type.String(),
  kind: Kind,
  verified: Type.Boolean(),
  social_handle: nullable(Type.String()),
  match_count: Type.Integer({ minimum: 0, description: 'Public etches of the account that match.' }),
  counts: AccountCounts,
});
export type FoundAccount = Static<typeof FoundAccount>;
