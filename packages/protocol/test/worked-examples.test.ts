import {
  buildFlatTree,
  buildTree,
  bytesToHex,
  canonicalString,
  decodeAttestationData,
  encodeAttestationData,
  etchHash,
  etchLeaf,
  foldProof,
  hexToBytes,
  parseCanonicalString,
} from '@svc/protocol';
import { describe, expect, test } from 'vitest';
import { workedExamples } from '../../../testing/vectors/vectors.ts';

describe.each(workedExamples())('%s', (_, examples) => {
  test('has correct canonical strings and hashes', () => {
    expect(examples.hashes.length).toBeGreaterThan(0);
    for (const e of examples.hashes) {
      const parts = { userId: e.user_id, createdAt: e.created_at, salt: e.salt, content: e.content };
      expect(canonicalString(parts)).toBe(e.canonical_string);
      expect(etchHash(e.canonical_string)).toBe(e.hash);
      expect(parseCanonicalString(e.canonical_string)).toEqual(parts);
    }
  });

  test('has correct leaves, roots and proofs', () => {
    expect(examples.trees.length).toBeGreaterThan(0);
    for (const t of examples.trees) {
      const leaves = t.leaves.map((l: { user_id: string; hash: string }) =>
        etchLeaf(t.tree_version, l.user_id, l.hash),
      );
      const { root, proofs } = buildTree(leaves);
      const flat = buildFlatTree(leaves);
      expect([bytesToHex(root), bytesToHex(flat.root)]).toEqual([t.root, t.root]);
      for (const [i, l] of t.leaves.entries()) {
        expect(bytesToHex(leaves[i])).toBe(l.leaf);
        expect(proofs[i]!.map(bytesToHex)).toEqual(l.proof);
        expect(bytesToHex(flat.proof(i))).toBe(l.proof.join(''));
        expect(bytesToHex(foldProof(leaves[i], l.proof.map(hexToBytes)))).toBe(t.root);
      }
    }
  });

  test('has correct attestation data', () => {
    expect(examples.attestation_data.length).toBeGreaterThan(0);
    for (const a of examples.attestation_data) {
      const { kind, tree_version: treeVersion, tree_size: treeSize } = a;
      const fields = { root: hexToBytes(a.root), kind, treeVersion, treeSize };
      expect(`0x${bytesToHex(encodeAttestationData(fields))}`).toBe(a.data);
      expect(decodeAttestationData(hexToBytes(a.data.slice(2)))).toEqual(fields);
    }
  });
});
