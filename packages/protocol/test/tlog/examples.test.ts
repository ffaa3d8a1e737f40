import { join } from 'node:path';
import * as tlog from '@svc/protocol/tlog';
import { expect, test } from 'vitest';
import { examplesOf, functionsOf, runExample, sourcesOf } from '../../../../testing/examples.ts';
import { readVector } from '../../../../testing/vectors/vectors.ts';

const examples = examplesOf(sourcesOf(join(import.meta.dirname, '../../src/tlog')));
const functions = functionsOf(tlog);

test('every function has an example', () => {
  expect(functions.length).toBeGreaterThan(20);
  expect(functions.filter((name) => !examples.has(name))).toEqual([]);
});

test.each([...examples])('the example of %s shows what it does', async (_name, code) => {
  const { etch, policy, proof } = readVector('valid/tlog');
  await runExample(code, {
    ...tlog,
    policy,
    proof,
    etch: { hash: etch.hash, userId: etch.user_id, kind: 0 },
  });
});
