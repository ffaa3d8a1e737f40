import { parseVerifierKey } from '@svc/protocol/tlog';
import { checkOmission, parseOmission } from '@svc/verifier/account-index';
import { expect, test } from 'vitest';
import { readVector } from '../../../testing/vectors/vectors.ts';

const [valid, invalid] = ['valid/omissions', 'invalid/omissions'].map(readVector);
const key = parseVerifierKey((readVector('valid/tlog').policy as string).split(/\s/)[1]!);
const trust = { keys: [key], policy: null, indexWitnesses: [], now: 2e9 };

test.each<any>(valid.omissions)('is proven: $what', ({ omission }) => {
  const { entries } = checkOmission(parseOmission(omission), trust);
  expect(entries).toHaveLength(omission.index[0].count);
});

test.each<any>(invalid.omissions)('is not proven: $why', ({ omission, fault }) => {
  const parsed = parseOmission(omission);
  expect(() => checkOmission(parsed, trust)).toThrow(fault);
});

test.each<any>(invalid.malformed)('is malformed: $why', ({ omission, fault }) => {
  expect(() => parseOmission(omission)).toThrow(fault);
});

test('is not checked without a key that signed the checkpoint', () => {
  const omission = parseOmission(valid.omissions[0].omission);
  expect(() => checkOmission(omission, { ...trust, keys: [] })).toThrow('did not sign its checkpoint');
});
