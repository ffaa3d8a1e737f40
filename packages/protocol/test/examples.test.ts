import { join } from 'node:path';
import * as protocol from '@svc/protocol';
import { expect, test } from 'vitest';
import { examplesOf, runExample, sourcesOf } from '../../../testing/examples.ts';
import { readVector } from './vectors.ts';

const examples = examplesOf(sourcesOf(join(import.meta.dirname, '../src')));
const functions = Object.entries(protocol)
  .filter(([, value]) => typeof value === 'function' && !(value.prototype instanceof Error))
  .map(([name]) => name);

test('every function has its example', () => {
  expect(functions.length).toBeGreaterThan(30);
  expect(functions.filter((name) => !examples.has(name))).toEqual([]);
});

test.each([...examples])('the example of %s shows what it does', async (_name, code) => {
  const { receipt } = readVector('valid/receipt-instant');
  const { promise } = readVector('valid/promises').promises[0];
  const { promise: promiseV2 } = readVector('valid/promises-v2').promises[0];
  await runExample(code, { ...protocol, receipt, promise, promiseV2 });
});

test.each([
  ['shows another outcome', "isHex('00', 1); // false", 'Expected values'],
  ['shows none', "isHex('00', 1);", 'shows no outcome'],
  ['throws', "uuidToBytes('00'); // 1", 'not a uuid'],
])('an example that %s is found', async (_what, code, wrong) => {
  await expect(runExample(code, { ...protocol })).rejects.toThrow(wrong);
});
