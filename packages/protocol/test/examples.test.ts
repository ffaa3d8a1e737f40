import { join } from 'node:path';
import * as protocol from '@svc/protocol';
import * as keccak from '@svc/protocol/keccak';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { examplesOf, functionsOf, runExample, sourcesOf } from '../../../testing/examples.ts';
import { readVector } from '../../../testing/vectors/vectors.ts';

const examples = examplesOf(sourcesOf(join(import.meta.dirname, '../src')));
const functions = functionsOf({ ...protocol, ...keccak });

test('every function has an example', () => {
  expect(functions.length).toBeGreaterThan(30);
  expect(functions.filter((name) => !examples.has(name))).toEqual([]);
});

test.each([...examples])('the example of %s shows what it does', async (_name, code) => {
  const { receipt } = readVector('valid/receipt-instant');
  const { promise, content } = readVector('valid/promises').promises[0];
  await runExample(code, { ...protocol, ...keccak, receipt, promise, content });
});

const parsed = (text: string) => [ts.createSourceFile('some.ts', text, ts.ScriptTarget.ESNext, true)];
const listed = (name: string) => `\n/**\n * @example\n * ${name}(); // 1\n */`;

test('reads the examples of two calls that share a name', () => {
  const client = (list: string) => `{ keys: { ${list} list() {} }, webhooks: { ${list} list() {} } }`;
  const found = examplesOf(parsed(`function calls() { return ${client(listed('list'))}; }`));
  expect([...found]).toEqual([
    ['keys.list', 'list(); // 1'],
    ['webhooks.list', 'list(); // 1'],
  ]);
  expect(functionsOf({ keys: { list() {} }, webhooks: { list() {} } })).toEqual([...found.keys()]);
});

test('rejects a second example of one name', () => {
  const twice = `${listed('one')}\nfunction one() {}\n`.repeat(2);
  expect(() => examplesOf(parsed(twice))).toThrow('two examples of one');
});

test.each([
  ['shows another outcome', "isHex('00', 1); // false", 'Expected values'],
  ['shows none', "isHex('00', 1);", 'shows no outcome'],
  ['throws', "uuidToBytes('00'); // 1", 'not a uuid'],
])('reports an example that %s', async (_what, code, wrong) => {
  await expect(runExample(code, { ...protocol })).rejects.toThrow(wrong);
});
