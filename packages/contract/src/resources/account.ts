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
      'When the identity provider last vouched for the social account; null without one.',
    ),
    created_at: told(OffsetTime, 'When the account was made.'),
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
    created_at: told(Time, 'When the account was made.'),
    kind: Kind,
    public_key: nullable(Hex32, "The agent's Ed25519 key; null for a person."),
    agent_url: nullable(Url, 'Where to read about the agent; null when it named nothing.'),
    ...voucherFields,
    official: Official,
    verified: Verified,
  },
  'An account as its public record shows it.',
);
export type RecordUser = Static<typeof RecordUser>;

export const AccountCounts = shape(
  'AccountCounts',
  {
    total: told(Count, 'Every etch of the account, retracted ones too.'),
    active: told(Count, '`total` minus `retracted`, and minus `taken_down`.'),
    revealed: told(Count, 'Etches that are public.'),
    retracted: told(Count, 'Etches that the account took back.'),
    taken_down: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Taken down by the operator; there only when there are any.' }),
    ),
    sealed_pending_reveal: told(Count, 'Etches still sealed.'),
  },
  'How many etches an account has, by what became of them.',
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
  'An account as a search finds it.',
);
export type FoundAccount = Static<typeof FoundAccount>;
