import { bytesToHex, hexToBytes } from '@svc/protocol';
import {
  foldLogProof,
  lineSalt,
  LOG_PROOF_FORMAT,
  logLeaf,
  LogTree,
  parseLogProof,
} from '@svc/protocol/conventions';
import { describe, expect, test } from 'vitest';
import { readVector } from '../../../../testing/vectors/vectors.ts';

interface LogFile {
  name: string;
  file: string;
  salt: string;
  leaves: string[];
  roots: string[];
  proofs: { line: number; proof: string[] }[];
}
const files: LogFile[] = readVector('valid/conventions-logs').files;

/** A last line without LF counts. */
function linesOf(base64: string): Uint8Array[] {
  const text = Buffer.from(base64, 'base64').toString('latin1');
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => Buffer.from(line, 'latin1'));
}

describe.each(files)('$name', ({ file, salt, leaves, roots, proofs }) => {
  test('has the leaves and roots of the vector', () => {
    const tree = new LogTree();
    expect(bytesToHex(tree.root())).toBe(roots[0]);
    for (const [at, line] of linesOf(file).entries()) {
      const leaf = logLeaf(lineSalt(hexToBytes(salt), at + 1), line);
      expect(bytesToHex(leaf)).toBe(leaves[at]);
      tree.add(leaf);
      expect(bytesToHex(tree.root())).toBe(roots[at + 1]);
    }
    expect(tree.size).toBe(leaves.length);
  });

  test.each(proofs)('proves line $line', ({ line, proof }) => {
    const tree = new LogTree(undefined, line - 1);
    expect(tree.proof()).toBeNull();
    for (const leaf of leaves) tree.add(hexToBytes(leaf));
    expect(tree.proof()!.map(bytesToHex)).toEqual(proof);
    const fold = (index: number, size: number, path = proof) => {
      const root = foldLogProof(hexToBytes(leaves[line - 1]!), index, size, path.map(hexToBytes));
      return root && bytesToHex(root);
    };
    expect(fold(line - 1, leaves.length)).toBe(roots.at(-1));
    expect(fold(leaves.length, leaves.length)).toBeNull();
    expect(fold(line - 1, leaves.length, [...proof, roots[0]!])).toBeNull();
    if (proof.length > 0) expect(fold(line - 1, leaves.length, proof.slice(1))).toBeNull();
  });
});

test('stores at most one hash for each 1 bit of the size', () => {
  const tree = new LogTree(undefined, 5);
  let most = 0;
  for (let size = 1; size <= 5_000; size++) {
    tree.add(lineSalt(new Uint8Array(32), size));
    most = Math.max(most, tree.stored);
    expect(tree.stored).toBe(size.toString(2).replaceAll('0', '').length);
  }
  expect(most).toBe(12);
  expect(tree.proof()).toHaveLength(13);
});

test.each<[string, RegExp | null]>([
  ['one', null],
  ['one\r', null],
  ['', null],
  ['one\n', /line of the proof has a line feed/],
  ['one\ntwo', /line of the proof has a line feed/],
  ['one\rtwo', /a carriage return/],
  ['one\r\r', /a carriage return/],
])('a proof shows one line: %j', (text, message) => {
  const salt = new Uint8Array(32);
  const line = Buffer.from(text);
  const proof = {
    _format: LOG_PROOF_FORMAT,
    etch: 'ba2700ee-b11f-45fe-a934-06098975d379',
    root: bytesToHex(logLeaf(salt, line)),
    lines: 1,
    number: 1,
    salt: bytesToHex(salt),
    proof: [],
    line: line.toString('base64'),
  };
  if (message === null) expect(parseLogProof(proof)).toEqual(proof);
  else expect(() => parseLogProof(proof)).toThrow(message);
});

describe('a proof of one of two lines', () => {
  const salt = bytesToHex(new Uint8Array(32).fill(10));
  const [first, second] = ['one', 'two'].map((line) => logLeaf(hexToBytes(salt), Buffer.from(line))) as [
    Uint8Array,
    Uint8Array,
  ];
  const tree = new LogTree();
  tree.add(first);
  tree.add(second);
  const root = bytesToHex(tree.root());
  const good = {
    _format: LOG_PROOF_FORMAT,
    etch: 'ba2700ee-b11f-45fe-a934-06098975d379',
    root,
    lines: 2,
    number: 1,
    line: 'b25l',
    salt,
    proof: [bytesToHex(second)],
  };

  test.each<[object | string | null, RegExp]>([
    [null, /^_format/],
    ['svc-log-proof:v1', /^_format/],
    [{ _format: 'svc-log-proof:v2' }, /^_format/],
    [{ etch: 'one' }, /^etch/],
    [{ root: root.toUpperCase() }, /^root and salt/],
    [{ salt: salt.toUpperCase() }, /^root and salt/],
    [{ lines: 0 }, /^number/],
    [{ lines: 2.5 }, /^number/],
    [{ number: 0 }, /^number/],
    [{ number: 3 }, /^number/],
    [{ line: ['b25l'] }, /^line of the proof is not padded base64/],
    [{ line: 'b25' }, /^line of the proof is not padded base64/],
    [{ proof: bytesToHex(second) }, /^proof/],
    [{ proof: [bytesToHex(second).toUpperCase()] }, /^proof/],
    [{ proof: Array(51).fill(root) }, /^proof/],
    [{ proof: Array(50).fill(root) }, /^line 1 of the proof is not under the root/],
    [{ proof: [] }, /^line 1 of the proof is not under the root/],
    [{ line: 'dHdv' }, /^line 1 of the proof is not under the root/],
    [{ number: 2 }, /^line 2 of the proof is not under the root/],
    [{ root: salt }, /^line 1 of the proof is not under the root/],
  ])('is rejected with %o', (change, message) => {
    expect(parseLogProof(good)).toEqual(good);
    const given = typeof change === 'object' && change !== null ? { ...good, ...change } : change;
    expect(() => parseLogProof(given)).toThrow(message);
  });

  test('has no root for an index outside or a sibling of another length', () => {
    expect(foldLogProof(first, 0, 2, [second])).toEqual(tree.root());
    for (const index of [-1, 2]) expect(foldLogProof(first, index, 2, [second])).toBeNull();
    expect(foldLogProof(first, 0, 2, [second.subarray(1)])).toBeNull();
  });
});
