import {
  bytesToHex,
  decodeAttestationData,
  encodeAttestationData,
  hexToBytes,
  isHex,
  uuidToBytes,
} from '@svc/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { invalidVectors, readVector } from '../../../testing/vectors/vectors.ts';

test('converts hex to bytes and back', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const hex = bytesToHex(bytes);
      expect(hex).toBe(Buffer.from(bytes).toString('hex'));
      expect(hexToBytes(hex)).toEqual(bytes);
      expect(hexToBytes(hex.toUpperCase())).toEqual(bytes);
      expect(isHex(hex, bytes.length)).toBe(true);
    }),
  );
});

test.each(['abzz12', 'a', 'abc', '0xab', ' ab', 'ab\n', 'ａｂ', 'g0'])('rejects %j as hex', (text) => {
  expect(() => hexToBytes(text)).toThrow(RangeError);
  expect(isHex(text, text.length >> 1)).toBe(false);
});

test('every other character is no hex digit, also next to a digit', () => {
  for (let code = 0; code < 0x180; code++) {
    const character = String.fromCharCode(code);
    if (/[0-9a-fA-F]/.test(character)) continue;
    for (const text of [`0${character}`, `${character}f`])
      expect(() => hexToBytes(text), text).toThrow(RangeError);
  }
});

test('isHex accepts only a string in lower case with the exact length', () => {
  expect(isHex('ab', 1)).toBe(true);
  for (const value of ['AB', 'abab', '', null, undefined, 171, ['ab']]) expect(isHex(value, 1)).toBe(false);
});

test('converts a uuid to 16 bytes', () => {
  expect(bytesToHex(uuidToBytes('62f746b4-84e6-4ceb-95bd-447e7184d454'))).toBe(
    '62f746b484e64ceb95bd447e7184d454',
  );
  for (const bad of ['', '62F746B4-84e6-4ceb-95bd-447e7184d454', '62f746b484e64ceb95bd447e7184d454'])
    expect(() => uuidToBytes(bad)).toThrow(RangeError);
});

test('encodes and decodes the attestation data of the vectors', () => {
  for (const a of readVector('valid/attestation-data').attestations) {
    const { kind, tree_version: treeVersion, tree_size: treeSize } = a;
    const fields = { root: hexToBytes(a.root), kind, treeVersion, treeSize };
    expect(bytesToHex(encodeAttestationData(fields))).toBe(a.data);
    expect(decodeAttestationData(hexToBytes(a.data))).toEqual(fields);
  }
});

test.each(invalidVectors('attestation-data'))('rejects %s', (_, { data }) => {
  expect(() => decodeAttestationData(hexToBytes(data))).toThrow(RangeError);
});

test('rejects or decodes to a different value after every flipped bit', () => {
  const good = hexToBytes(readVector('valid/attestation-data').attestations[3].data);
  let refused = 0;
  for (let bit = 0; bit < good.length * 8; bit++) {
    const flipped = Uint8Array.from(good);
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    try {
      expect(encodeAttestationData(decodeAttestationData(flipped))).toEqual(flipped);
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError);
      refused++;
    }
  }
  expect(refused).toBeGreaterThan(700);
});

test('decodes a view into a larger buffer', () => {
  const good = hexToBytes(readVector('valid/attestation-data').attestations[2].data);
  const padded = new Uint8Array(200).fill(9);
  padded.set(good, 33);
  expect(decodeAttestationData(padded.subarray(33, 161))).toEqual(decodeAttestationData(good));
});

test.each([
  ['root of 31 bytes', { root: new Uint8Array(31) }],
  ['kind 2', { kind: 2 }],
  ['tree version 3', { treeVersion: 3 }],
  ['tree size 0', { treeSize: 0 }],
  ['tree size 10,001', { treeSize: 10_001 }],
  ['half a leaf', { treeSize: 1.5 }],
  ['two leaves without a tree', { treeVersion: 0, treeSize: 2 }],
])('does not encode %s', (_, fault) => {
  const good = { root: new Uint8Array(32), kind: 0, treeVersion: 2, treeSize: 5 } as const;
  const bad = { ...good, ...fault } as Parameters<typeof encodeAttestationData>[0];
  expect(() => encodeAttestationData(bad)).toThrow(RangeError);
});
