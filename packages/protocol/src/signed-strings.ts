import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from './hex.ts';
import { textToBytes } from './text.ts';

/**
 * What an author signs over an etch: `svc-sig:v1|<user_id>|<sha256(content) in hex>` (SPEC.md "Etch").
 * @throws {RangeError} when the content holds a lone surrogate or a NUL
 */
export function etchSignedString(userId: string, content: string): string {
  return `svc-sig:v1|${userId}|${bytesToHex(sha256(textToBytes(content)))}`;
}

/** What a new agent signs: `svc-register:v1|<public_key>|<issued_at>`, both as sent (SPEC.md "Agents"). */
export function registerSignedString(publicKey: string, issuedAt: string): string {
  return `svc-register:v1|${publicKey}|${issuedAt}`;
}

/** What an agent signs for its operator: `svc-operator:v1|<user_id>|<issued_at>` (SPEC.md "Agents"). */
export function operatorSignedString(userId: string, issuedAt: string): string {
  return `svc-operator:v1|${userId}|${issuedAt}`;
}

/** What an agent without keys signs to get one: `svc-key:v1|<public_key>|<issued_at>` (DECISIONS.md §5). */
export function keySignedString(publicKey: string, issuedAt: string): string {
  return `svc-key:v1|${publicKey}|${issuedAt}`;
}
