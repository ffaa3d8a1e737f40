import { createHash } from 'node:crypto';
import { buildTree, bytesToHex, etchLeaf, foldProof, hexToBytes } from '@svc/protocol';
import { describe, expect, test } from 'vitest';
import { ProofFolder } from '../src/index.ts';

const ADA = '11111111-1111-4111-8111-111111111111';
const hashOf = (value: number) => value.toString(16).padStart(64, '0');

describe('a folder of proofs', () => {
  const many = Array.from({ length: 200 }, (_, n) => etchLeaf(2, ADA, hashOf(1_000 + n)));
  const { root, proofs } = buildTree(many);
  const given = proofs.map((proof) => proof.map(bytesToHex));

  test('returns the root of each proof, regardless of earlier proofs', () => {
    const folder = new ProofFolder();
    for (let round = 0; round < 2; round++)
      for (const [n, proof] of given.entries()) {
        const folded = (siblings: readonly string[]) =>
          folder.foldedRoot(2, ADA, hashOf(1_000 + n), siblings);
        expect(folded(proof)).toBe(bytesToHex(root));
        const at = n % proof.length;
        const bent = proof.map((sibling, i) => (i === at ? hashOf(n) : sibling));
        const plain = bytesToHex(foldProof(many[n]!, bent.map(hexToBytes)));
        expect(folded(bent), `round ${round}, leaf ${n}, place ${at}`).toBe(plain);
        const [short, long] = [proof.slice(0, -1), [...proof, hashOf(7)]];
        for (const other of [short, long])
          expect(folded(other)).toBe(bytesToHex(foldProof(many[n]!, other.map(hexToBytes))));
      }
  });

  test('hashes the nodes above the fourth level once', () => {
    let made = 0;
    const folder = new ProofFolder((data) => {
      made++;
      return createHash('sha256').update(data).digest();
    });
    const fold = () => folder.foldedRoot(2, ADA, hashOf(1_000), given[0]!);
    expect([fold(), made]).toEqual([bytesToHex(root), 1 + given[0]!.length]);
    made = 0;
    expect([fold(), made]).toEqual([bytesToHex(root), 1 + 4]);
  });

  test('rejects malformed proofs', () => {
    const fold = (proof: unknown) => () =>
      new ProofFolder().foldedRoot(2, ADA, hashOf(1_000), proof as string[]);
    expect(fold(Array(15).fill(hashOf(1)))).toThrow(RangeError);
    for (const wrong of ['x', 7, null, 'ab'])
      expect(fold([...given[0]!.slice(0, 5), wrong]), String(wrong)).toThrow(RangeError);
  });
});
