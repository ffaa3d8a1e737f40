import type { Scope } from './api-key.ts';

export type AccountKind = 'human' | 'agent';
export type Assurance = 'human' | 'keypair' | 'verified';

export interface AuthorColumns extends Standing {
  username: string;
  display_name: string;
  social_handle: string | null;
}

export interface Caller {
  userId: string;
  kind: AccountKind;
  assurance: Assurance;
  verified: boolean;
  /** 64 lower-case hex digits */
  publicKey: string | null;
  author: AuthorColumns;
  suspendedFor: string | null;
  credential: { type: 'api_key'; keyId: string; scope: Scope } | { type: 'session' };
}

export interface Standing {
  kind: AccountKind;
  agent_domain: string | null;
  operator_id: string | null;
  social_verified_at: string | null;
}

export function assuranceOf(account: Standing): Assurance {
  if (account.kind === 'human') return 'human';
  return account.agent_domain !== null || account.operator_id !== null ? 'verified' : 'keypair';
}

export function isVerified(account: Standing): boolean {
  return account.kind === 'human' ? account.social_verified_at !== null : assuranceOf(account) === 'verified';
}
