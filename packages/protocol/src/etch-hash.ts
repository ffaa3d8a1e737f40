import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, isHex, isUuid } from './hex.ts';
import { isWellFormedText, textToBytes } from './text.ts';
import { isTime } from './time.ts';
import type { Sha256 } from './tree.ts';

/** Never changes (docs/specification.md#versioning). */
export const CANONICAL_TAG = 'svc:v1';

export interface EtchParts {
  userId: string;
  /** as `YYYY-MM-DDTHH:MM:SS.sssZ` */
  createdAt: string;
  /** 32 bytes in hex */
  salt: string;
  /** as received, not normalized */
  content: string;
}

/**
 * `svc:v1|<user_id>|<created_at>|<salt>|<content>` (docs/specification.md#the-hash-rule). The content may
 * contain `|`.
 * @throws {RangeError} when a part is not in its canonical form
 * @example
 * const { user_id: userId } = receipt.author;
 * const parts = { userId, createdAt: '2026-05-06T07:08:09.123Z', salt: 'ab'.repeat(32), content: 'Rain.' };
 * canonicalString(parts).split('|')[1]; // userId
 */
export function canonicalString({ userId, createdAt, salt, content }: EtchParts): string {
  if (!isUuid(userId)) throw new RangeError('userId is not a uuid in lower case');
  if (!isTime(createdAt)) throw new RangeError('createdAt is not a UTC time with milliseconds');
  if (!isHex(salt, 32)) throw new RangeError('salt is not 64 lower-case hex digits');
  if (!isWellFormedText(content)) throw new RangeError('content contains a lone surrogate or a NUL');
  return `${CANONICAL_TAG}|${userId}|${createdAt}|${salt}|${content}`;
}

/**
 * Null when the text is not a canonical string.
 * @example
 * parseCanonicalString(receipt.canonical_string).userId; // receipt.author.user_id
 * parseCanonicalString('One | two.'); // null
 */
export function parseCanonicalString(canonical: string): EtchParts | null {
  const [tag, userId = '', createdAt = '', salt = ''] = canonical.split('|', 4);
  const content = canonical.slice(`${tag}|${userId}|${createdAt}|${salt}|`.length);
  try {
    return canonicalString({ userId, createdAt, salt, content }) === canonical
      ? { userId, createdAt, salt, content }
      : null;
  } catch {
    return null;
  }
}

/**
 * SHA-256 in hex (docs/specification.md#the-hash-rule).
 * @throws {RangeError} on a lone surrogate or a NUL
 * @example
 * etchHash(receipt.canonical_string); // receipt.hash
 */
export function etchHash(canonical: string, hash: Sha256 = sha256): string {
  return bytesToHex(hash(textToBytes(canonical)));
}
