import { Failure } from '../errors/failure.ts';
import type { Keyring } from '../secrets/keyring.ts';

/**
 * A request under an Idempotency-Key. The key belongs to the account, whatever it is sent to
 * (docs/specification.md#idempotency).
 */
export interface KeyedRequest {
  userId: string;
  key: string;
  endpoint: 'POST /etches' | 'POST /challenges';
  /** the validated known fields in a fixed order: the same however the JSON was spelled */
  request: string;
}

/** A key as bound to the record it made; never to an answer, and never with the request itself. */
export interface BoundKey {
  user_id: string;
  key: string;
  endpoint: string;
  record_id: string;
  fingerprint: Buffer;
  /** different requests under it within the last hour, while its etch was sealed or retracted */
  guesses: number;
}

/** So many different requests an hour under the key of a sealed or retracted etch are told so; more are compared one by one. */
export const GUESSES_TOLD = 10;

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

/** The key stands for another request already. */
export class KeyUsed extends Failure {
  /** there when the request went to the same endpoint: it may be compared in another way */
  readonly bound: BoundKey | undefined;
  constructor(bound?: BoundKey) {
    super('conflict', 'this Idempotency-Key was used for a different request: send a new key');
    this.bound = bound;
  }
}

/** The record that this very request made before, or why the key cannot be used for this one. */
export function recordOf(keyring: Keyring, keyed: KeyedRequest, bound: BoundKey): string | Failure {
  if (bound.endpoint !== keyed.endpoint) return new KeyUsed();
  const spent = bound.guesses >= GUESSES_TOLD;
  if (!spent && keyring.verifyMac('fingerprint', keyed.request, bound.fingerprint)) return bound.record_id;
  return new KeyUsed(bound);
}

/** Names a key among those of all accounts. */
export function keyName(userId: string, key: string): string {
  return `${userId}|${key}`;
}
