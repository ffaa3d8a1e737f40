import { badField } from '../platform/failure.ts';
import type { Keyring } from '../platform/secrets/keyring.ts';

const DAY_MS = 24 * 3_600_000;
/** The day, in front of the ciphertext; each day has its own key. */
const DAY_BYTES = 2;

/**
 * Encrypted, because the sort value may be hidden (docs/specification.md#formats). The daily key keeps the ETag of a
 * page stable.
 */
export function makeCursor(
  keyring: Keyring,
  list: string,
  place: readonly (string | number)[],
  now = Date.now(),
): string {
  const day = Math.floor(now / DAY_MS) % 2 ** (8 * DAY_BYTES);
  const closed = keyring.closeSame('cursor', Buffer.from(JSON.stringify(place)), list, day);
  const head = Buffer.alloc(DAY_BYTES);
  head.writeUInt16BE(day);
  return Buffer.concat([head, closed]).toString('base64url');
}

/** @throws Failure bad_request for a changed cursor or a cursor of another list */
export function readCursor(keyring: Keyring, list: string, cursor: string): (string | number)[] {
  const bytes = Buffer.from(cursor, 'base64url');
  try {
    return JSON.parse(openCursor(keyring, list, bytes).toString('utf8')) as (string | number)[];
  } catch {
    throw badField('cursor', 'must be the `next_cursor` of a page of this list');
  }
}

function openCursor(keyring: Keyring, list: string, bytes: Buffer): Buffer {
  try {
    return keyring.open('cursor', bytes.subarray(DAY_BYTES), list, bytes.readUInt16BE());
  } catch {
    // An older version's cursor, which a client may have stored.
    return keyring.open('cursor', bytes, list);
  }
}
