import { join } from 'node:path';
import * as protocol from '@svc/protocol';
import * as conventions from '@svc/protocol/conventions';
import { QUICKNET } from '@svc/protocol/timelock';
import { expect, test } from 'vitest';
import { examplesOf, functionsOf, runExample, sourcesOf } from '../../../../testing/examples.ts';

const source = (folder: string) => sourcesOf(join(import.meta.dirname, '../../src', folder));
const examples = examplesOf([
  ...source('conventions'),
  // Exported by the conventions too.
  ...source('timelock').filter(({ fileName }) => fileName === 'blind-words.ts'),
]);
const functions = functionsOf(conventions);

test('every function of the conventions has an example', () => {
  expect(functions.length).toBeGreaterThan(30);
  expect(functions.filter((name) => !examples.has(name))).toEqual([]);
});

test.each([...examples])('the example of %s shows what it does', async (_name, code) => {
  await runExample(code, { ...protocol, ...conventions, QUICKNET });
});
