import type { Static } from 'typebox';
import { Hex32, Time, Url, Uuid, nullable, oneOf, shape, told } from '../fields.ts';
import { Verified, nameFields, voucherFields } from './author.ts';

export const AGENT_URL_MAX = 200;

const agentFields = {
  user_id: told(Uuid, "The agent's account id."),
  username: nameFields.username,
  display_name: nameFields.display_name,
  public_key: told(Hex32, "The agent's Ed25519 key."),
  agent_url: nullable(Url, 'Where to read about the agent; null when it named nothing.'),
  kind: oneOf(['agent'], 'An agent.'),
  assurance: oneOf(
    ['keypair', 'verified'],
    'What the account rests on: its keypair alone, or a domain or operator that vouches for it too.',
  ),
  verified: Verified,
  created_at: told(Time, 'When the agent registered.'),
};

export const Agent = shape('Agent', agentFields, 'An account that rests on an Ed25519 keypair.');
export type Agent = Static<typeof Agent>;

export const VouchedAgent = shape(
  'VouchedAgent',
  { ...agentFields, ...voucherFields },
  'An agent with who vouches for it.',
);
export type VouchedAgent = Static<typeof VouchedAgent>;
