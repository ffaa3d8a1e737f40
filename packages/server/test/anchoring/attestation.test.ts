// Runs without a database.
import { expect, test } from 'vitest';
import { attestationData, type ExpectedAttestation, mismatch } from '../../src/anchoring/steps/read-back.ts';
import type { Attestation, Hex } from '../../src/chain/port.ts';

const bytes32 = (digit: string): Hex => `0x${digit.repeat(64)}`;
const MEANT: ExpectedAttestation = {
  uid: bytes32('a'),
  schema: bytes32('b'),
  attester: `0x${'c'.repeat(40)}`,
  root: new Uint8Array(32).fill(7),
  kind: 0,
  treeVersion: 2,
  treeSize: 3,
  revocable: false,
  time: 1_800_000_000,
};
const FOUND: Attestation = {
  uid: MEANT.uid,
  schema: MEANT.schema,
  attester: MEANT.attester,
  time: MEANT.time,
  revocationTime: 0,
  revocable: false,
  data: attestationData(MEANT),
};
const upper = (hex: string) => `0x${hex.slice(2).toUpperCase()}`;

test('accepts the expected attestation in any case of its hex', () => {
  expect(mismatch(FOUND, MEANT)).toBeUndefined();
  const { uid, schema, attester, data } = FOUND;
  const shouted = { uid: upper(uid), schema: upper(schema), attester: upper(attester), data: upper(data) };
  expect(mismatch({ ...FOUND, ...shouted }, MEANT)).toBeUndefined();
});

test.each<[string, Partial<Attestation>]>([
  ['a different uid', { uid: bytes32('1') }],
  ['a different schema', { schema: bytes32('1') }],
  ['a different attester', { attester: `0x${'1'.repeat(40)}` }],
  ['other data', { data: attestationData({ ...MEANT, root: new Uint8Array(32) }) }],
  ['other data', { data: attestationData({ ...MEANT, kind: 1 }) }],
  ['other data', { data: attestationData({ ...MEANT, treeVersion: 1 }) }],
  ['other data', { data: attestationData({ ...MEANT, treeSize: 4 }) }],
  ['other data', { data: `${FOUND.data}00` }],
  ['other data', { data: '0x' }],
  ['a different revocability', { revocable: true }],
  ['a time that is not its block’s', { time: MEANT.time + 1 }],
])('reports %s', (words, change) => {
  expect(mismatch({ ...FOUND, ...change }, MEANT)).toBe(words);
});
