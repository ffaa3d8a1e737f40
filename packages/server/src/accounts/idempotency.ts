import { Failure } from '../platform/failure.ts';
import type { Keyring } from '../platform/secrets/keyring.ts';

/** A key is valid for both endpoints (docs/specification.md#idempotency). */
export interface KeyedRequest {
  userId: string;
  key: string;
  endpoint: 'POST /etches' | 'POST /challenges';
  /** known fields in a fixed order */
  request: string;
}

export interface BoundKey {
  user_id: string;
  key: string;
  endpoint: string;
  record_id: string;
  fingerprint: Buffer;
  /** different requests in the last hour, while the etch was hidden */
  guesses: number;
}

/** More guesses an hour about a hidden etch are compared slowly. */
export const FAST_GUESSES = 10;

export function bindKey(keyring: Keyring, keyed: KeyedRequest, recordId: string): BoundKey {
  return {
    user_id: keyed.userId,
    key: keyed.key,
    endpoint: keyed.endpoint,
    record_id: recordId,
    fingerprint: keyring.mac('fingerprint', keyed.request),
    guesses: 0,
  };
}

export class KeyUsed extends Failure {
  readonly bound: BoundKey | undefined;
  constructor(bound?: BoundKey) {
    super('conflict', 'this Idempotency-Key was used for a different request: send a new key');
    this.bound = bound;
  }
}

export function recordOf(keyring: Keyring, keyed: KeyedRequest, bound: BoundKey): string | Failure {
  if (bound.endpoint !== keyed.endpoint) return new KeyUsed();
  const spent = bound.guesses >= FAST_GUESSES;
  if (!spent && keyring.verifyMac('fingerprint', keyed.request, bound.fingerprint)) return bound.record_id;
  return new KeyUsed(bound);
}

export const keyName = (userId: string, key: string): string => `${userId}|${key}`;
