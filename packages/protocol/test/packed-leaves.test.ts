import { createHash } from 'node:crypto';
import {
  buildFlatTree,
  bytesToHex,
  etchLeaf,
  foldPackedLeaves,
  foldRoot,
  hexToBytes,
  packedWidth,
  packLeaves,
} from '@svc/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readVector } from '../../../testing/vectors/vectors.ts';

interface PackedVector {
  name: string;
  tree_version: 1 | 2;
  tree_size: number;
  root: string;
  leaves: { user_id?: string; hash: string }[];
  packed: string;
}

const cut = (packed: Uint8Array, width: number): string[] =>
  Array.from({ length: packed.length / width }, (_, n) =>
    bytesToHex(packed.subarray(n * width, (n + 1) * width)),
  );
const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest();

describe.each(readVector('valid/packed-leaves').trees as PackedVector[])('$name', (vector) => {
  const { tree_version: version, root, leaves } = vector;
  const packed = hexToBytes(vector.packed);
  const width = packedWidth(version);

  test('folds to its root in any order and with a different SHA-256', () => {
    const turned = hexToBytes(cut(packed, width).reverse().join(''));
    for (const order of [packed, turned]) {
      expect(bytesToHex(foldPackedLeaves(version, order))).toBe(root);
      expect(bytesToHex(foldPackedLeaves(version, order, sha256))).toBe(root);
    }
  });

  test('lists the leaves of the JSON by ascending value', () => {
    expect(cut(packLeaves(version, leaves), width).sort()).toEqual(cut(packed, width).sort());
    const values = cut(packed, width).map((parts) => bytesToHex(sha256(hexToBytes(`00${parts}`))));
    expect(values).toEqual([...values].sort());
    const ofJson = leaves.map(({ user_id = '', hash }) => bytesToHex(etchLeaf(version, user_id, hash)));
    expect(values).toEqual(ofJson.sort());
  });
});

test('foldRoot gives the root of the full tree, for sorted and unsorted leaves', () => {
  const some = fc.uniqueArray(fc.uint8Array({ minLength: 32, maxLength: 32 }), {
    minLength: 1,
    maxLength: 40,
    selector: bytesToHex,
  });
  fc.assert(
    fc.property(some, (leaves) => {
      const { root } = buildFlatTree(leaves);
      expect(foldRoot(Buffer.concat(leaves))).toEqual(root);
      expect(foldRoot(Buffer.concat(leaves.sort((a, b) => Buffer.compare(a, b))))).toEqual(root);
    }),
    { numRuns: 50 },
  );
});

test('rejects leaves that no tree has', () => {
  const leaf = packLeaves(2, [{ user_id: 'ae00cff5-55bb-4bd1-ab78-d6c62dc80658', hash: 'ab'.repeat(32) }]);
  for (const bytes of [
    new Uint8Array(0),
    leaf.subarray(1),
    Buffer.concat([leaf, leaf.subarray(0, 32)]),
    new Uint8Array(48 * 10_001),
  ])
    expect(() => foldPackedLeaves(2, bytes), String(bytes.length)).toThrow('a tree has 1 to 10000 leaves');
  expect(() => foldPackedLeaves(2, Buffer.concat([leaf, leaf]))).toThrow('two leaves are equal');
  for (const given of [{ hash: 'ab' }, { hash: 'AB'.repeat(32) }, { user_id: 'x', hash: 'ab'.repeat(32) }])
    expect(() => packLeaves(2, [given])).toThrow(RangeError);
  const hash = 'ab'.repeat(32);
  expect(() => packLeaves(1, [{ hash: hash.toUpperCase() }])).toThrow(RangeError);
  const many = (count: number) => packLeaves(1, Array<{ hash: string }>(count).fill({ hash }));
  expect(many(10_000)).toHaveLength(320_000);
  expect(() => many(10_001)).toThrow(RangeError);
});
