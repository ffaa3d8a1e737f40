// The caller of a request with its scope, and the form of API keys.
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { sha256 } from '../platform/secrets/signing-key.ts';

type AccountKind = 'human' | 'agent';
export type Assurance = 'human' | 'keypair' | 'verified';

export interface AuthorColumns extends AssuranceColumns {
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

export interface AssuranceColumns {
  kind: AccountKind;
  agent_domain: string | null;
  operator_id: string | null;
  social_verified_at: string | null;
}

export function assuranceOf(account: AssuranceColumns): Assurance {
  if (account.kind === 'human') return 'human';
  return account.agent_domain !== null || account.operator_id !== null ? 'verified' : 'keypair';
}

export const isVerified = (account: AssuranceColumns): boolean =>
  account.kind === 'human' ? account.social_verified_at !== null : assuranceOf(account) === 'verified';

export type Scope = 'read' | 'write';

const PREFIX = 'svc_sk_';
const SHAPE = /^svc_sk_([A-Za-z0-9_-]{43})([0-9a-z]{7})$/;

/** The checksum lets secret scanners recognize a key. */
export function makeApiKey(): string {
  const secret = randomBytes(32).toString('base64url');
  return `${PREFIX}${secret}${checksum(secret)}`;
}

export function isApiKey(text: string): boolean {
  const match = SHAPE.exec(text);
  return match !== null && checksum(match[1]!) === match[2];
}

export const hashApiKey = (key: string): Buffer => sha256(key);

export const apiKeyPrefix = (key: string): string => key.slice(0, 12);

const checksum = (secret: string): string => crc32(secret).toString(36).padStart(7, '0');

/** The columns of an account that a request needs. */
export interface AccountColumns extends AuthorColumns {
  user_id: string;
  suspended_for: string | null;
}
