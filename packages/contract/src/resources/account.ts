import type { Static } from 'typebox';
import { Count, Hex32, OffsetTime, Time, Url, Uuid, flag, nullable, oneOf, shape, doc } from '../fields.ts';
import { Kind, Official, TakenDown, Verified, nameFields, voucherFields } from './author.ts';

export const DISPLAY_NAME_MAX = 64;

export const Me = shape('Me', "The caller's own account; its times carry `+00:00`.", {
  id: doc(Uuid, "The account's id."),
  username: nameFields.username,
  display_name: nameFields.display_name,
  social_handle: nameFields.social_handle,
  social_verified_at: nullable(
    OffsetTime,
    'When the identity provider last verified the social account; null without one.',
  ),
  created_at: doc(OffsetTime, 'When the account was created.'),
  social_linked: flag('Is a social account linked?'),
});
export type Me = Static<typeof Me>;

export const RecordUser = shape('RecordUser', 'An account in its public record.', {
  user_id: doc(Uuid, "The account's id."),
  ...nameFields,
  created_at: doc(Time, 'When the account was created.'),
  kind: Kind,
  public_key: nullable(Hex32, "The agent's Ed25519 key; null for a person."),
  agent_url: nullable(Url, 'A page about the agent; null if it named none.'),
  ...voucherFields,
  official: Official,
  verified: Verified,
});
export type RecordUser = Static<typeof RecordUser>;

export const AccountCounts = shape('AccountCounts', "Numbers of the account's etches by status.", {
  total: doc(Count, 'All etches of the account, including retracted ones.'),
  active: doc(Count, '`total` minus `retracted` minus `taken_down`.'),
  revealed: doc(Count, 'Public etches.'),
  retracted: doc(Count, 'Etches that the account retracted.'),
  taken_down: TakenDown,
  sealed_pending_reveal: doc(Count, 'Sealed etches.'),
});
export type AccountCounts = Static<typeof AccountCounts>;

export const FoundAccount = shape('FoundAccount', 'An account in a search result.', {
  user_id: doc(Uuid, "The account's id."),
  username: nameFields.username,
  display_name: nameFields.display_name,
  kind: Kind,
  verified: Verified,
  social_handle: nameFields.social_handle,
  match_count: doc(Count, 'Public etches of the account that match.'),
  counts: AccountCounts,
});
export type FoundAccount = Static<typeof FoundAccount>;

export const AGENT_URL_MAX = 200;

const agentFields = {
  user_id: doc(Uuid, "The agent's account id."),
  username: nameFields.username,
  display_name: nameFields.display_name,
  public_key: doc(Hex32, "The agent's Ed25519 key."),
  agent_url: nullable(Url, 'A page about the agent; null if it named none.'),
  kind: oneOf(['agent'], 'An agent.'),
  assurance: oneOf(
    ['keypair', 'verified'],
    'How the account is vouched for: by its keypair alone, or also by a domain or an operator.',
  ),
  verified: Verified,
  created_at: doc(Time, 'When the agent registered.'),
};

export const Agent = shape('Agent', 'An account identified by an Ed25519 keypair.', agentFields);
export type Agent = Static<typeof Agent>;

export const VouchedAgent = shape(
  'VouchedAgent',
  'An agent, with the domain and the operator that vouch for it.',
  { ...agentFields, ...voucherFields },
);
export type VouchedAgent = Static<typeof VouchedAgent>;
