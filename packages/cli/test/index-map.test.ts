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
  expect(map).toMatchObject({ entries: 2, accounts: 2, size: 4, changed: 3 });
  const path = join(newFolder('map'), 'map');
  map.save(path);
  expect(map.changed).toBe(0);
  log.addTree(ADA, 'dd');
  log.addIndex();
  log.asked = [];
  const again = IndexMap.load(path, ORIGIN)!;
  await again.advance(readerOf(log), await log.checkpoint());
  expect(again).toMatchObject({ entries: 1, accounts: 2, size: 6 });
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

test('skips verified index entries after an interruption, and only in the same log', async () => {
  const makeStarted = (root?: Uint8Array) => {
    const log = makeLog(ORIGIN);
    log.addTree(ADA, 'aa');
    log.addIndex(1, root);
    log.addTree(BO, 'bb');
    log.addIndex();
    log.addTree(ADA, 'cc');
    log.addTree(ADA, 'dd');
    log.addIndex();
    return log;
  };
  const log = makeStarted();
  const packed = log.leaves.get(5)!;
  log.leaves.delete(5);
  const advance = async (map: IndexMap, of = log) => map.advance(readerOf(of), await of.checkpoint());
  const map = IndexMap.empty(ORIGIN);
  await expect(advance(map)).rejects.toThrow('does not have the leaves of the tree at the log index 5');
  const path = join(newFolder('map'), 'map');
  map.save(path);
  log.leaves.set(5, packed);
  expect(map.size).toBe(5);
  await expect(map.advance(readerOf(log), await log.checkpoint(4))).rejects.toThrow('the index of 5 entries');
  for (const one of [map, IndexMap.load(path, ORIGIN)!]) {
    await expect(advance(one, makeStarted(new Uint8Array(32)))).rejects.toThrow('do not make the root');
    await advance(one);
    expect(one).toMatchObject({ accounts: 2, size: 7 });
  }
});

test('does not accept another index entry in place of a verified one, also after it was saved', async () => {
  const log = makeLog(ORIGIN);
  log.addTree(ADA, 'aa');
  log.addIndex();
  const map = IndexMap.empty(ORIGIN);
  await map.advance(readerOf(log), await log.checkpoint());
  expect(map.size).toBe(2);
  const path = join(newFolder('map'), 'map');
  map.save(path);
  const fork = makeLog(ORIGIN);
  fork.addTree(ADA, 'aa');
  fork.addIndex(1, new Uint8Array(32));
  for (const one of [map, IndexMap.load(path, ORIGIN)!]) {
    const advance = one.advance(readerOf(fork), await fork.checkpoint());
    await expect(advance).rejects.toThrow('it is forked: its first 2 entries are not those whose index was');
    await expect(one.advance(readerOf(fork), await fork.checkpoint(1))).rejects.toThrow(
      'the index of 2 entr',
    );
  }
  const earlier = readFileSync(path, 'utf8').replace('svc-index-map:v2', 'svc-index-map:v1');
  writeFileSync(path, earlier);
  expect(IndexMap.load(path, ORIGIN), 'of an earlier version').toBeNull();
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
