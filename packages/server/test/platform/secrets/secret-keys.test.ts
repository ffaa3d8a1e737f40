// Runs without a database.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../../../../testing/machine/folder.ts';
import { generatedKeys } from '../../../src/platform/secrets/secret-keys.ts';
import { drawRandom } from '../../../src/platform/secrets/random.ts';

test('processes that start at once on a new directory use the one stored key', async () => {
  const dataDir = newFolder('keys');
  const made = await Promise.all(Array.from({ length: 8 }, () => generatedKeys(dataDir)));
  const kept = await generatedKeys(dataDir);
  expect(kept[0]).toHaveLength(32);
  for (const keys of made) expect(keys).toEqual(kept);
  expect(await readdir(dataDir)).toEqual(['secret-keys']);
  expect((await stat(join(dataDir, 'secret-keys'))).mode & 0o777).toBe(0o600);
});

test('draws no byte twice and shares no memory between draws', () => {
  const drawn = Array.from({ length: 2_000 }, (_, index) => drawRandom(1 + (index % 48)));
  const places = new Map<ArrayBufferLike, Set<number>>();
  for (const { buffer, byteOffset, length } of drawn) {
    const taken = places.get(buffer) ?? new Set();
    const before = taken.size;
    for (let at = 0; at < length; at++) taken.add(byteOffset + at);
    expect(places.set(buffer, taken).get(buffer)!.size).toBe(before + length);
  }
  expect(places.size).toBeGreaterThan(10);
  const texts = Array.from({ length: 10_000 }, () => drawRandom(12).toString('hex'));
  expect(new Set(texts).size).toBe(10_000);
});

test('fills each draw to its length, and rejects one longer than the pool', () => {
  expect(() => drawRandom(2_049)).toThrow(RangeError);
  for (const length of [1, 12, 32, 2_047, 2_048]) {
    const bytes = drawRandom(length);
    expect(bytes).toHaveLength(length);
    if (length >= 12) expect(bytes.some((byte) => byte !== 0)).toBe(true);
  }
});

test('draws every byte value about equally often', () => {
  const counts = new Array<number>(256).fill(0);
  for (let round = 0; round < 8_000; round++) for (const byte of drawRandom(32)) counts[byte]!++;
  // 1,000 of each value are expected; ten standard deviations never occur.
  for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(320);
});
