// Runs without a database.
import { expect, test, vi } from 'vitest';
import { makeCursor, readCursor } from '../../src/http/cursor.ts';
import { createKeyring } from '../../src/platform/secrets/keyring.ts';

const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const DAY_MS = 24 * 3_600_000;
const place = ['2026-01-02T03:04:05.678Z', 9];

test('decrypts a cursor on any day, for its list, with any of the keys', () => {
  const made = makeCursor(createKeyring([first]), 'feed', place);
  expect(readCursor(createKeyring([second, first]), 'feed', made)).toEqual(place);
  const long = makeCursor(createKeyring([first]), 'feed', place, Date.now() - 4_000 * DAY_MS);
  expect(readCursor(createKeyring([first]), 'feed', long)).toEqual(place);
  for (const strange of [made.slice(0, -1), `A${made}`, '', 'AAAA'])
    expect(() => readCursor(createKeyring([first]), 'feed', strange)).toThrow('next_cursor');
  expect(() => readCursor(createKeyring([first]), 'record', made)).toThrow('next_cursor');
  expect(() => readCursor(createKeyring([second]), 'feed', made)).toThrow('next_cursor');
});

test('uses one key per day', () => {
  const keyring = createKeyring([first]);
  const close = vi.spyOn(keyring, 'closeSame');
  for (const now of [0, DAY_MS - 1, DAY_MS]) makeCursor(keyring, 'feed', place, now);
  expect(close.mock.calls.map(([, , , era]) => era)).toEqual([0, 0, 1]);
  const closed = keyring.close('cursor', Buffer.from('text'), 'feed', 5);
  expect(keyring.open('cursor', closed, 'feed', 5).toString()).toBe('text');
  for (const era of [4, undefined]) expect(() => keyring.open('cursor', closed, 'feed', era)).toThrow();
});

test('decrypts a cursor of an older version', () => {
  const keyring = createKeyring([first]);
  const old = keyring.close('cursor', Buffer.from(JSON.stringify(place)), 'feed').toString('base64url');
  expect(readCursor(keyring, 'feed', old)).toEqual(place);
});

test('drops the keys of old days and derives them again', () => {
  const keyring = createKeyring([first]);
  const cursors = Array.from({ length: 100 }, (_, day) => makeCursor(keyring, 'feed', [day], day * DAY_MS));
  expect(cursors.map((cursor) => readCursor(keyring, 'feed', cursor)[0])).toEqual(
    cursors.map((_, day) => day),
  );
});

test('gives the same cursor all day for one position, and another for other positions', () => {
  const keyring = createKeyring([first]);
  const made = (list: string, at: readonly (string | number)[], now: number) =>
    makeCursor(keyring, list, at, now);
  expect(made('feed', place, 0)).toBe(made('feed', place, DAY_MS - 1));
  const cursors = [
    made('feed', place, 0),
    made('feed', place, DAY_MS),
    made('feed', [place[0]!, 10], 0),
    made('record', place, 0),
    makeCursor(createKeyring([second]), 'feed', place, 0),
  ];
  const nonces = cursors.map((cursor) => Buffer.from(cursor, 'base64url').subarray(2, 14).toString('hex'));
  expect(new Set(nonces).size).toBe(cursors.length);
});
