import type { Agent, Me, VouchedAgent } from '../resources/account.ts';
import type { Key, Limits, ListedKey } from '../resources/key.ts';
import * as world from './shared-values.ts';

export const me: Me = {
  id: world.adaId,
  username: 'ada',
  display_name: 'Ada',
  social_handle: 'ada_of_the_harbour',
  social_verified_at: '2025-12-30T10:00:00.000+00:00',
  created_at: '2025-12-30T09:58:12.004+00:00',
  social_linked: true,
};

// Not a key: the checksum is wrong on purpose.
export const apiKeyValue = `svc_sk_${'EXAMPLE'.repeat(6)}0000000`;

export const key: Key = {
  id: world.keyId,
  name: 'nightly report',
  scope: 'read',
  prefix: 'svc_sk_EXAMP',
  created_at: '2026-01-02T03:00:00.000Z',
  last_used_at: null,
};

export const registrationKey: Key = { ...key, name: 'recovery', scope: 'write' };

export const listedKey: ListedKey = { ...key, last_used_at: '2026-01-03T04:00:00.120Z', revoked_at: null };

export const agent: Agent = {
  user_id: world.botId,
  username: 'agent_eb3102a6cb58',
  display_name: 'Tide watcher',
  public_key: world.publicKey,
  agent_url: 'https://agents.example.org/tide',
  kind: 'agent',
  assurance: 'keypair',
  verified: false,
  created_at: '2026-01-02T03:00:00.000Z',
};

export const vouchedAgent: VouchedAgent = {
  ...agent,
  assurance: 'verified',
  verified: true,
  agent_domain: 'agents.example.org',
  agent_domain_checked_at: '2026-01-02T03:10:00.000Z',
  operator_id: world.adaId,
};

export const limits: Limits = {
  account: { kind: 'human', assurance: 'human', verified: true },
  etches: { per_day: 250, remaining: 249, refill_per_hour: 10.416666666666666 },
  authenticated_with: { type: 'api_key', scope: 'write', key_id: world.keyId },
};
