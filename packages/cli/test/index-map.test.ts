import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LogReader } from '@svc/verifier/account-index';
import { expect, test } from 'vitest';
import { makeLog } from '../../../testing/log/made-log.ts';
import { newFolder } from '../../../testing/machine/folder.ts';
import { IndexMap } from '../src/audit/index-map.ts';

const ORIGIN = 'svc.example/log';
const [ADA, BO] = ['0'.repeat(8), '1'.repeat(8)].map((first) => `${first}-0000-4000-8000-000000000000`) as [
  string,
  string,
];
const readerOf = (log: ReturnType<typeof makeLog>): LogReader => ({
  url: 'http://svc.test/log',
  get: async (path) => {
    const bytes = log.answer(path);
    return { status: bytes === null ? 404 : 200, retryAfter: null, bytes };
  },
});
/** Two trees of two accounts, with an index entry behind each. */
function startedLog() {
  const log = makeLog(ORIGIN);
  log.addTree(ADA, 'aa', 'bb');
  log.addIndex();
  log.addTree(BO, 'cc');
  log.addIndex();
  return log;
}

test('recomputes every index entry, and a saved map continues with the new ones', async () => {
  const log = startedLog();
  const map = IndexMap.empty(ORIGIN);
  await map.advance(readerOf(log), await log.checkpoint());
  expect(map).toMatchObject({ entries: 2, accounts: 2, size: 3, changed: 3 });
  const path = join(newFolder('map'), 'map');
  map.save(path);
  expect(map.changed).toBe(0);
  log.addTree(ADA, 'dd');
  log.addIndex();
  log.asked = [];
  const again = IndexMap.load(path, ORIGIN)!;
  await again.advance(readerOf(log), await log.checkpoint());
  expect(again).toMatchObject({ entries: 1, accounts: 2, size: 5 });
  expect(log.asked.filter((asked) => asked.startsWith('leaves/'))).toEqual(['leaves/4']);
});

test('waits for leaves that cannot be read, and goes on from there', async () => {
  const log = startedLog();
  const packed = log.leaves.get(2)!;
  log.leaves.delete(2);
  const map = IndexMap.empty(ORIGIN);
  const advance = async () => map.advance(readerOf(log), await log.checkpoint());
  await expect(advance()).rejects.toThrow('does not have the leaves of the tree at the log index 2');
  log.leaves.set(2, packed);
  log.asked = [];
  await advance();
  expect(map.entries).toBe(2);
  expect(log.asked.filter((asked) => asked.startsWith('leaves/'))).toEqual(['leaves/2']);
});

test.each<[string, (log: ReturnType<typeof makeLog>) => void, RegExp]>([
  ['a wrong root', (log) => log.addIndex(5, new Uint8Array(32)), /its index entry 5 has the root 0{64}, and/],
  [
    'fewer entries than an earlier one',
    (log) => log.addIndex(1),
    /its index entry 5 covers 1 entries; 5 are/,
  ],
  ['more entries than are before it', (log) => log.addIndex(6), /its index entry 5 covers 6 entries; 5 are/],
  [
    'other leaves',
    (log) => {
      log.addIndex();
      log.leaves.set(4, new Uint8Array(48));
    },
    /the tree at the log index 4: its leaves fold to/,
  ],
])('rejects an index entry with %s, by name', async (_about, forge, words) => {
  const log = startedLog();
  log.addTree(ADA, 'dd');
  forge(log);
  const advance = IndexMap.empty(ORIGIN).advance(readerOf(log), await log.checkpoint());
  await expect(advance).rejects.toThrow(words);
});

test('rejects entries that do not make the root of the checkpoint, and reads no leaves then', async () => {
  const log = startedLog();
  const { size } = await log.checkpoint();
  const advance = IndexMap.empty(ORIGIN).advance(readerOf(log), { size, root: new Uint8Array(32) });
  await expect(advance).rejects.toThrow('its first 4 entries do not make the root that its checkpoint signs');
  expect(log.asked.some((asked) => asked.startsWith('leaves/'))).toBe(false);
});

test('loads no damaged file and no map of another log, and a failed write keeps the earlier file', async () => {
  const log = startedLog();
  const map = IndexMap.empty(ORIGIN);
  await map.advance(readerOf(log), await log.checkpoint());
  const path = join(newFolder('map'), 'map');
  map.save(path);
  expect(IndexMap.load(path, 'other.example/log')).toBeNull();
  expect(IndexMap.load(`${path}-missing`, ORIGIN)).toBeNull();
  expect(() => map.save(join(path, 'below-a-file'))).toThrow('ENOTDIR');
  expect(IndexMap.load(path, ORIGIN)).not.toBeNull();
  const bytes = readFileSync(path);
  for (const at of [20, bytes.indexOf('"edge"') + 12, bytes.length - 1]) {
    const damaged = Buffer.from(bytes);
    damaged[at]! ^= 1;
    writeFileSync(path, damaged);
    expect(IndexMap.load(path, ORIGIN), `byte ${at}`).toBeNull();
  }
  for (const cut of [0, 10, bytes.length - 5]) {
    writeFileSync(path, bytes.subarray(0, cut));
    expect(IndexMap.load(path, ORIGIN), `${cut} bytes`).toBeNull();
  }
});
