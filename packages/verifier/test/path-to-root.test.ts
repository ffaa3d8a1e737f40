import { buildTree, bytesToHex, etchLeaf } from '@svc/protocol';
import { describe, expect, it } from 'vitest';
import { pathToRoot } from '../src/index.ts';

const USER = '7d0f4b1e-93c2-4b51-8a51-1f0d0c6b7a10';
const hashOf = (n: number): string => n.toString(16).padStart(64, '0');

describe('the path from an etch to the root', () => {
  it.each([1, 2, 3, 7])('begins at its leaf and ends at the root of a tree of %i', (size) => {
    for (const version of [1, 2] as const) {
      const leaves = Array.from({ length: size }, (_, n) => etchLeaf(version, USER, hashOf(n)));
      const { root, proofs } = buildTree(leaves);
      leaves.forEach((leaf, n) => {
        const proof = proofs[n]!.map(bytesToHex);
        const path = pathToRoot(version, USER, hashOf(n), proof);
        expect(path).toHaveLength(proof.length + 1);
        expect(path[0]).toBe(bytesToHex(leaf));
        expect(path.at(-1)).toBe(bytesToHex(root));
      });
    }
  });

  it('ends at a different hash for a different etch', () => {
    const { root, proofs } = buildTree([0, 1, 2].map((n) => etchLeaf(2, USER, hashOf(n))));
    const path = pathToRoot(2, USER, hashOf(9), proofs[0]!.map(bytesToHex));
    expect(path.at(-1)).not.toBe(bytesToHex(root));
  });
});
