import { badField } from '../platform/failure.ts';
import type { Keyring } from '../platform/secrets/keyring.ts';

const DAY_MS = 24 * 3_600_000;
const DAY_BYTES = 2;

/** Encrypts, because the sort value may be hidden. The daily key keeps a page's ETag stable. */
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
    // Earlier versions wrote cursors without a day; clients may have stored one.
    return keyring.open('cursor', bytes, list);
  }
}
