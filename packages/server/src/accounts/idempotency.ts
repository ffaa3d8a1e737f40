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
}

export function bindKey(keyring: Keyring, keyed: KeyedRequest, recordId: string): BoundKey {
  return {
    user_id: keyed.userId,
    key: keyed.key,
    endpoint: keyed.endpoint,
    record_id: recordId,
    fingerprint: keyring.mac('fingerprint', keyed.request),
  };
}

/** The key stands for another request already. */
export class KeyUsed extends Failure {
  constructor() {
    super('conflict', 'this Idempotency-Key was used for a different request: send a new key');
  }
}

/** The record that this very request made before, or why the key cannot be used for this one. */
export function recordOf(keyring: Keyring, keyed: KeyedRequest, bound: BoundKey): string | Failure {
  const same =
    bound.endpoint === keyed.endpoint && keyring.verifyMac('fingerprint', keyed.request, bound.fingerprint);
  if (same) return bound.record_id;
  return new KeyUsed();
}

/** Names a key among those of all accounts. */
export function keyName(userId: string, key: string): string {
  return `${userId}|${key}`;
}
