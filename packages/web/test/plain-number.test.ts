// Runs without a database.
import { parseNumber } from '@svc/protocol/conventions';
import { expect, test } from 'vitest';
import { plainNumber } from '../src/plain-number.ts';

test.each([
  ['1e6', '1000000'],
  ['1E+6', '1000000'],
  ['1.25e3', '1250'],
  ['1.2345e2', '123.45'],
  ['1.50e1', '15'],
  ['25e-1', '2.5'],
  ['5e-3', '0.005'],
  ['0e5', '0'],
  ['\u22123', '-3'],
  ['\u22121.5e\u22121', '-0.15'],
  ['+5', '5'],
  ['.5', '0.5'],
  ['5.', '5'],
  ['007', '7'],
  ['1 000 000', '1000000'],
  ['12\u202f500.5', '12500.5'],
  ['0.1000000000', '0.1'],
])('%s is %s', (typed, plain) => {
  expect(plainNumber(typed)).toBe(plain);
  expect(() => parseNumber(plain)).not.toThrow();
});

test.each(['12.50', '-0', '0', '999999999999.123456'])('%s stays as it is', (typed) => {
  expect(plainNumber(typed)).toBe(typed);
});

test.each([
  '',
  '.',
  '-',
  'e6',
  '1,000',
  '1.000.000',
  '0x10',
  '1e',
  '1e400',
  '12 5',
  'NaN',
  'Infinity',
  '1e1e1',
  '5 mm',
  '1e6.5',
])('rejects “%s”', (typed) => {
  expect(() => parseNumber(plainNumber(typed))).toThrow();
});
