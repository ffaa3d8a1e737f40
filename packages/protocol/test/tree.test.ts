import { createHash, randomBytes } from 'node:crypto';
import { buildFlatTree, buildTree, bytesToHex, etchLeaf, foldProof, node, splitProof } from '@svc/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readVector } from '../../../testing/vectors/vectors.ts';

const sha256 = (...parts: (Uint8Array | string)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const nodeSha256 = (data: Uint8Array) => sha256(data);
const hex = (bytes: Uint8Array) => bytesToHex(bytes);
const hash32 = fc.uint8Array({ minLength: 32, maxLength: 32 });

interface TreeVector {
  name: string;
  tree_version: 1 | 2;
  tree_size: number;
  root: string;
  sha256_of_all_proofs: string;
  leaves: { index: number; leaf: string; proof: string[] }[];
}

function leavesOf(vector: TreeVector) {
  const seeded = (text: string) => sha256(`vector ${text}`).toString('hex');
  const uuid = (name: string) => {
    const u = seeded(`uuid ${name}`);
    return `${u.slice(0, 8)}-${u.slice(8, 12)}-4${u.slice(13, 16)}-a${u.slice(17, 20)}-${u.slice(20, 32)}`;
  };
  return Array.from({ length: vector.tree_size }, (_, i) =>
    etchLeaf(vector.tree_version, uuid(`${vector.name} ${i % 7}`), seeded(`${vector.name} ${i}`)),
  );
}

const vectors = readVector('valid/trees').trees;

test('has vectors of 1 to 33, 9,999 and 10,000 leaves in both versions', () => {
  const sizes = [...Array.from({ length: 33 }, (_, i) => i + 1), 9_999, 10_000];
  for (const version of [1, 2]) {
    const found = vectors.filter((v: { tree_version: number }) => v.tree_version === version);
    expect(found.map((v: { tree_size: number }) => v.tree_size)).toEqual(sizes);
  }
});

describe.each(vectors as TreeVector[])('$name', (vector) => {
  const leaves = leavesOf(vector);
  const { root, proofs } = buildTree(leaves, nodeSha256);

  test('has its root and proofs with both SHA-256 functions', () => {
    expect(hex(root)).toBe(vector.root);
    const all = sha256(...proofs.map((proof) => sha256(proof.map(hex).join(''))));
    expect(all.toString('hex')).toBe(vector.sha256_of_all_proofs);
    const flat = buildFlatTree(leaves);
    expect(hex(flat.root)).toBe(vector.root);
    expect(proofs.every((proof, i) => Buffer.concat(proof).equals(flat.proof(i)))).toBe(true);
  });

  test('folds every leaf to the root', () => {
    const step = Math.max(1, leaves.length >> 6);
    for (let i = 0; i < leaves.length; i += step)
      expect(hex(foldProof(leaves[i]!, proofs[i]!))).toBe(vector.root);
    for (const shown of vector.leaves) {
      expect(hex(leaves[shown.index]!)).toBe(shown.leaf);
      expect(proofs[shown.index]!.map(hex)).toEqual(shown.proof);
    }
  });
});

test('the root depends only on the set of leaves', () => {
  const sets = fc.uniqueArray(hash32, { minLength: 1, maxLength: 40, selector: (leaf) => hex(leaf) });
  fc.assert(
    fc.property(sets, fc.infiniteStream(fc.nat()), (leaves, order) => {
      const shuffled = leaves.map((leaf) => ({ leaf, key: order.next().value as number }));
      shuffled.sort((a, b) => a.key - b.key);
      const other = shuffled.map((entry) => entry.leaf);
      const [a, b] = [buildTree(leaves), buildTree(other)];
      expect(hex(a.root)).toBe(hex(b.root));
      other.forEach((leaf, i) => {
        expect(hex(foldProof(leaf, b.proofs[i]!))).toBe(hex(a.root));
        expect(b.proofs[i]!.map(hex)).toEqual(a.proofs[leaves.indexOf(leaf)]!.map(hex));
      });
    }),
  );
});

test('sorts leaves that differ only after their first bytes', () => {
  const near = fc.uniqueArray(fc.uint8Array({ minLength: 27, maxLength: 27 }), {
    minLength: 2,
    selector: hex,
  });
  fc.assert(
    fc.property(near, (tails) => {
      const leaves = tails.map((tail) => Buffer.concat([Buffer.alloc(5, 7), tail]));
      const sorted = [...leaves].sort((a, b) => Buffer.compare(a, b));
      expect(hex(buildTree(leaves).root)).toBe(hex(buildTree(sorted).root));
      expect(hex(buildTree(leaves).proofs[leaves.indexOf(sorted[0]!)]![0]!)).toBe(hex(sorted[1]!));
    }),
  );
});

test('a node does not depend on the order of its children', () => {
  fc.assert(fc.property(hash32, hash32, (a, b) => hex(node(a, b)) === hex(node(b, a))));
  const [low, high] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  expect(hex(node(high, low))).toBe(sha256(Buffer.of(1), low, high).toString('hex'));
});

test('an odd node is promoted unchanged', () => {
  const [a, b, c] = [1, 2, 3].map((n) => Buffer.alloc(32, n)) as [Buffer, Buffer, Buffer];
  const tree = buildTree([c, a, b]);
  expect(hex(tree.root)).toBe(hex(node(node(a, b), c)));
  expect(tree.proofs.map((proof) => proof.length)).toEqual([1, 2, 2]);
});

describe('rejects', () => {
  const leaf = randomBytes(32);
  test.each([
    ['no leaf', []],
    ['10,001 leaves', Array.from({ length: 10_001 }, (_, i) => sha256(String(i)))],
    ['equal leaves', [leaf, randomBytes(32), Buffer.from(leaf)]],
    ['a short leaf', [leaf, leaf.subarray(1)]],
    ['a long leaf', [Buffer.concat([leaf, leaf])]],
  ])('%s', (_, leaves) => {
    expect(() => buildTree(leaves)).toThrow(RangeError);
    expect(() => buildFlatTree(leaves)).toThrow(RangeError);
  });

  test('a proof of 15 hashes, a hash of 31 bytes, an index outside', () => {
    expect(() => foldProof(leaf, Array<Uint8Array>(15).fill(leaf))).toThrow(RangeError);
    expect(() => foldProof(leaf, [leaf.subarray(1)])).toThrow(RangeError);
    expect(() => foldProof(leaf.subarray(1), [])).toThrow(RangeError);
    expect(() => node(leaf.subarray(1), leaf)).toThrow(RangeError);
    expect(() => node(leaf, leaf.subarray(1))).toThrow(RangeError);
    expect(() => splitProof(leaf.subarray(1))).toThrow(RangeError);
    expect(() => buildFlatTree([leaf]).proof(1)).toThrow(RangeError);
  });

  test('a leaf of a malformed hash or author', () => {
    const id = '62f746b4-84e6-4ceb-95bd-447e7184d454';
    expect(() => etchLeaf(1, id, 'AB'.repeat(32))).toThrow(RangeError);
    expect(() => etchLeaf(1, id, 'ab'.repeat(31))).toThrow(RangeError);
    expect(() => etchLeaf(2, id.toUpperCase(), 'ab'.repeat(32))).toThrow(RangeError);
    expect(() => etchLeaf(2, '', 'ab'.repeat(32))).toThrow(RangeError);
  });
});
