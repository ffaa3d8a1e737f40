import { join } from 'node:path';
import { expect, test } from 'vitest';
import { etchAnswer } from '../../../../testing/clients/example-answers.ts';
import { examplesOf, functionsOf, runExample, sourcesOf } from '../../../../testing/examples.ts';
import * as answers from '../../src/answers/index.ts';

const examples = examplesOf(sourcesOf(join(import.meta.dirname, '../../src/answers')));

test('every function has an example', () => {
  expect(functionsOf(answers).filter((name) => !examples.has(name))).toEqual([]);
});

test.each([...examples])('the example of %s shows what it does', async (_name, code) => {
  await runExample(code, { ...answers, etch: etchAnswer.etch });
});
