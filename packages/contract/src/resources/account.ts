import { Type, type Static } from 'typebox';
import { Count, Hex32, OffsetTime, Time, Url, Uuid, nullable, shape, told } from '../fields.ts';
import { Kind, Official, Verified, nameFields, voucherFields } from './author.ts';

export const DISPLAY_NAME_MAX = 64;

export const Me = shape(
  'Me',
  {
    id: told(Uuid, "The account's id."),
    username: nameFields.username,
    display_name: nameFields.display_name,
    social_handle: nameFields.social_handle,
    social_verified_at: nullable(
      OffsetTime,
      'When the identity provider last verified the social account; null without one.',
    ),
    created_at: told(OffsetTime, 'When the account was created.'),
    social_linked: Type.Boolean({ description: 'Is a social account linked?' }),
  },
  "The caller's own account; its times carry `+00:00`.",
);
export type Me = Static<typeof Me>;

export const RecordUser = shape(
  'RecordUser',
  {
    user_id: told(Uuid, "The account's id."),
    ...nameFields,
    created_at: told(Time, 'When the account was created.'),
    kind: Kind,
    public_key: nullable(Hex32, "The agent's Ed25519 key; null for a person."),
    agent_url: nullable(Url, 'A page about the agent; null if it named none.'),
    ...voucherFields,
    official: Official,
    verified: Verified,
  },
  'An account in its public record.',
);
export type RecordUser = Static<typeof RecordUser>;

export const AccountCounts = shape(
  'AccountCounts',
  {
    total: told(Count, 'All etches of the account, including retracted ones.'),
    active: told(Count, '`total` minus `retracted` minus `taken_down`.'),
    revealed: told(Count, 'Public etches.'),
    retracted: told(Count, 'Etches that the account retracted.'),
    taken_down: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Etches that the operator took down; absent if there are none.',
      }),
    ),
    sealed_pending_reveal: told(Count, 'Sealed etches.'),
  },
  "Numbers of the account's etches by status.",
);
export type AccountCounts = Static<typeof AccountCounts>;

export const FoundAccount = shape(
  'FoundAccount',
  {
    user_id: told(Uuid, "The account's id."),
    username: nameFields.username,
    display_name: nameFields.display_name,
    kind: Kind,
    verified: Verified,
    social_handle: nameFields.social_handle,
    match_count: told(Count, 'Public etches of the account that match.'),
    counts: AccountCounts,
  },
  'An account in a search result.',
);
export type FoundAccount = Static<typeof FoundAccount>;
