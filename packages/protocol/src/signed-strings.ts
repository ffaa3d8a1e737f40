import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from './hex.ts';
import { textToBytes } from './text.ts';

/**
 * `svc-sig:v1|<user_id>|<sha256(content) in hex>` (docs/specification.md#etch).
 * @throws {RangeError} on a lone surrogate or a NUL
 * @example
 * etchSignedString(receipt.author.user_id, 'It will rain on Sunday.').split('|').length; // 3
 */
export function etchSignedString(userId: string, content: string): string {
  return `svc-sig:v1|${userId}|${bytesToHex(sha256(textToBytes(content)))}`;
}

/**
 * `svc-register:v1|<public_key>|<issued_at>`, both as sent (docs/specification.md#post-agents).
 * @example
 * registerSignedString('ab'.repeat(32), '2026-01-02T03:04:05Z').slice(-21); // '|2026-01-02T03:04:05Z'
 */
export function registerSignedString(publicKey: string, issuedAt: string): string {
  return `svc-register:v1|${publicKey}|${issuedAt}`;
}

/**
 * `svc-operator:v1|<user_id>|<issued_at>` (docs/specification.md#post-meoperator).
 * @example
 * const { user_id } = receipt.author;
 * operatorSignedString(user_id, '2026-01-02T03:04:05Z'); // `svc-operator:v1|${user_id}|2026-01-02T03:04:05Z`
 */
export function operatorSignedString(userId: string, issuedAt: string): string {
  return `svc-operator:v1|${userId}|${issuedAt}`;
}

/**
 * `svc-key:v1|<public_key>|<issued_at>` (docs/specification.md#further-endpoints).
 * @example
 * keySignedString('ab'.repeat(32), '2026-01-02T03:04:05Z').slice(0, 13); // 'svc-key:v1|ab'
 */
export function keySignedString(publicKey: string, issuedAt: string): string {
  return `svc-key:v1|${publicKey}|${issuedAt}`;
}
