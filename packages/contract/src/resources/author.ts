import { Type, type Static } from 'typebox';
import { DomainCheckedAt, Time, Username, Uuid, flag, nullable, oneOf, shape, text, doc } from '../fields.ts';

export const ACCOUNT_KINDS = ['human', 'agent'] as const;

/** `verified`: a domain or an operator confirms the key pair. */
export const ASSURANCES = ['human', 'keypair', 'verified'] as const;

export const Kind = oneOf(ACCOUNT_KINDS, 'A person or an agent.');

export const nameFields = {
  username: doc(Username, "The account's name in URLs; it never changes."),
  display_name: text('The display name, chosen by the account.'),
  social_handle: nullable(Type.String(), 'The linked social account; null without one.'),
  social_verified_at: nullable(
    Time,
    'When the identity provider last verified the social account; null without one.',
  ),
};

export const voucherFields = {
  agent_domain: nullable(Type.String(), 'The domain that vouches for the agent; null without one.'),
  agent_domain_checked_at: nullable(DomainCheckedAt),
  operator_id: nullable(Uuid, 'The account of the person who operates the agent; null without one.'),
};

export const Verified = flag(
  'A person with a verified social account, or an agent with a domain or an operator.',
);
export const Official = flag('Set by the operator of the service.');

export const Author = shape('Author', 'The author of an etch.', {
  user_id: doc(Uuid, "The account's id, as in the canonical string."),
  ...nameFields,
  social_verified: flag('Is the linked social account verified?'),
  kind: Kind,
  verified: Verified,
  official: Official,
});
export type Author = Static<typeof Author>;

export const TakenDown = Type.Optional(
  Type.Integer({ minimum: 1, description: 'Etches that the operator took down; absent if there are none.' }),
);
