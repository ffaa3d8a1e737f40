import { badField } from '../errors/failure.ts';
import type { Keyring } from '../secrets/keyring.ts';

/**
 * An opaque place in a list. Encrypted, because what a list is ordered by may be hidden
 * (docs/specification.md#formats).
 */
export function makeCursor(keyring: Keyring, list: string, place: readonly (string | number)[]): string {
  return keyring.close('cursor', Buffer.from(JSON.stringify(place)), list).toString('base64url');
}

/** @throws Failure bad_request for a cursor of another list, a changed one, or no cursor at all */
export function readCursor(keyring: Keyring, list: string, cursor: string): (string | number)[] {
  try {
    return JSON.parse(keyring.open('cursor', Buffer.from(cursor, 'base64url'), list).toString('utf8')) as (
      string | number
    )[];
  } catch {
    throw badField('cursor', 'must be the `next_cursor` of a page of this list');
  }
}
