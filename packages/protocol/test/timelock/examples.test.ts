import { join } from 'node:path';
import { blindWords, readBlindSeal, withoutCiphertext } from '@svc/protocol/conventions';
import * as timelock from '@svc/protocol/timelock';
import { expect, test } from 'vitest';
import { examplesOf, functionsOf, runExample, sourcesOf } from '../../../../testing/examples.ts';
import { signedOpening } from './signed-opening.ts';

const examples = examplesOf(sourcesOf(join(import.meta.dirname, '../../src/timelock')));
const functions = functionsOf(timelock);

test('every function has an example', () => {
  expect(functions.length).toBeGreaterThan(12);
  expect(functions.filter((name) => !examples.has(name))).toEqual([]);
});

test.each([...examples])('the example of %s shows what it does', async (_name, code) => {
  await runExample(code, {
    ...timelock,
    readBlindSeal,
    blindWords,
    withoutCiphertext,
    opening: signedOpening(),
  });
});
