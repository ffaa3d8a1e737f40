import { Type, type Static } from 'typebox';
import { DomainCheckedAt, Hex32, Time, Url, Username, Uuid, nullable, oneOf, shape } from '../fields.ts';

export const AGENT_URL_MAX = 200;

const agentFields = {
  user_id: Uuid,
  username: Username,
  display_name: Type.String(),
  public_key: Hex32,
  agent_url: nullable(Url),
  kind: oneOf(['agent']),
  assurance: oneOf(['keypair', 'verified']),
  verified: Type.Boolean(),
  created_at: Time,
};

export const Agent = shape('Agent', agentFields, 'An account that rests on an Ed25519 keypair.');
export type Agent = Static<typeof Agent>;

/** The agent as the domain and operator calls answer it: with who vouches for it. */
export const VouchedAgent = shape('VouchedAgent', {
  ...agentFields,
  agent_domain: nullable(Type.String()),
  agent_domain_checked_at: nullable(DomainCheckedAt),
  operator_id: nullable(Uuid),
});
export type VouchedAgent = Static<typeof VouchedAgent>;
