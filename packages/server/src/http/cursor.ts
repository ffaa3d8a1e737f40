// Cursors of lists, encrypted because their sort values may be hidden.
import { type CursorPage, LIMIT_DEFAULT } from '@svc/contract';
import { badField } from '../platform/failure.ts';
import type { Keyring } from '../platform/secrets/keyring.ts';

const DAY_MS = 24 * 3_600_000;
const DAY_BYTES = 2;

type Place = readonly (string | number)[];

/** Encrypts, because the sort value may be hidden. The daily key keeps a page's ETag stable. */
export function makeCursor(keyring: Keyring, list: string, place: Place, now = Date.now()): string {
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

/** A page of a list: its limit, the place after which it begins, and the cursor of the next page. */
export function listPage(keyring: Keyring, list: string, query: { limit?: string; cursor?: string }) {
  const limit = query.limit === undefined ? LIMIT_DEFAULT : Number(query.limit);
  const page = (next: Place | undefined): CursorPage => ({
    limit,
    has_more: next !== undefined,
    next_cursor: next ? makeCursor(keyring, list, next) : null,
  });
  return {
    limit,
    after: query.cursor === undefined ? undefined : readCursor(keyring, list, query.cursor),
    page,
    /** @param found has one row more than the limit if another page follows */
    cut: <Row>(found: readonly Row[], placeOf: (last: Row) => Place): { rows: Row[]; page: CursorPage } => {
      const rows = found.slice(0, limit);
      return { rows, page: page(found.length > limit ? placeOf(rows.at(-1)!) : undefined) };
    },
  };
}
