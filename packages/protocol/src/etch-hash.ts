import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, isHex, isUuid } from './hex.ts';
import { isWellFormedText, textToBytes } from './text.ts';
import { isTime } from './time.ts';
import type { Sha256 } from './tree.ts';

/** Never changes (docs/specification.md#versioning). */
export const CANONICAL_TAG = 'svc:v1';

export interface EtchParts {
  /** lower-case uuid */
  userId: string;
  /** as `YYYY-MM-DDTHH:MM:SS.sssZ` */
  createdAt: string;
  /** 32 bytes in lower-case hex */
  salt: string;
  /** as received, not normalized */
  content: string;
}

/**
 * `svc:v1|<user_id>|<created_at>|<salt>|<content>` (docs/specification.md#the-hash-rule). The content may
 * contain `|`.
 * @throws {RangeError} when a part is not in its canonical form
 * @example
 * canonicalString({
 *   userId: 'ae00cff5-55bb-4bd1-ab78-d6c62dc80658',
 *   createdAt: '2026-05-06T07:08:09.123Z',
 *   salt: '716a13924ab08fd86ed725e8b886c1da5ab833744df2109e4202ebf031e4f50a',
 *   content: 'It will rain on Sunday.',
 * }).slice(0, 46); // 'svc:v1|ae00cff5-55bb-4bd1-ab78-d6c62dc80658|20'
 */
export function canonicalString({ userId, createdAt, salt, content }: EtchParts): string {
  if (!isUuid(userId)) throw new RangeError('userId is not a uuid in lower case');
  if (!isTime(createdAt)) throw new RangeError('createdAt is not a UTC time with milliseconds');
  if (!isHex(salt, 32)) throw new RangeError('salt is not 64 lower-case hex digits');
  if (!isWellFormedText(content)) throw new RangeError('content holds a lone surrogate or a NUL');
  return `${CANONICAL_TAG}|${userId}|${createdAt}|${salt}|${content}`;
}

/**
 * Null when the text is not a canonical string.
 * @example
 * const parts = {
 *   userId: 'ae00cff5-55bb-4bd1-ab78-d6c62dc80658',
 *   createdAt: '2026-05-06T07:08:09.123Z',
 *   salt: '716a13924ab08fd86ed725e8b886c1da5ab833744df2109e4202ebf031e4f50a',
 *   content: 'One | two.',
 * };
 * parseCanonicalString(canonicalString(parts)); // parts
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
 * @param hash a faster SHA-256, such as that of node:crypto
 * @throws {RangeError} on a lone surrogate or a NUL
 * @example
 * const canonical = canonicalString({
 *   userId: 'ae00cff5-55bb-4bd1-ab78-d6c62dc80658',
 *   createdAt: '2026-05-06T07:08:09.123Z',
 *   salt: '716a13924ab08fd86ed725e8b886c1da5ab833744df2109e4202ebf031e4f50a',
 *   content: 'It will rain on Sunday.',
 * });
 * etchHash(canonical); // '89f32e7c77dc8e7e855f559c425636ef7e4d9fb9e6514ae1d73227d67102c49f'
 */
export function etchHash(canonical: string, hash: Sha256 = sha256): string {
  return bytesToHex(hash(textToBytes(canonical)));
}
