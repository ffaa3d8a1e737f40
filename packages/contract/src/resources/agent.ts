import type { Static } from 'typebox';
import { Hex32, Time, Url, Uuid, nullable, oneOf, shape, told } from '../fields.ts';
import { Verified, nameFields, voucherFields } from './author.ts';

export const AGENT_URL_MAX = 200;

const agentFields = {
  user_id: told(Uuid, "The agent's account id."),
  username: nameFields.username,
  display_name: nameFields.display_name,
  public_key: told(Hex32, "The agent's Ed25519 key."),
  agent_url: nullable(Url, 'A page about the agent; null if it named none.'),
  kind: oneOf(['agent'], 'An agent.'),
  assurance: oneOf(
    ['keypair', 'verified'],
    'How the account is vouched for: by its keypair alone, or also by a domain or an operator.',
  ),
  verified: Verified,
  created_at: told(Time, 'When the agent registered.'),
};

export const Agent = shape('Agent', agentFields, 'An account identified by an Ed25519 keypair.');
export type Agent = Static<typeof Agent>;

export const VouchedAgent = shape(
  'VouchedAgent',
  { ...agentFields, ...voucherFields },
  'An agent, with the domain and the operator that vouch for it.',
);
export type VouchedAgent = Static<typeof VouchedAgent>;
