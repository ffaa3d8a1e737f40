import { TAKEN_DOWN } from '@svc/protocol';
import { checkAnswer } from '@svc/verifier/answers';
import { expect, test } from 'vitest';
import { madeAnswer } from '../../../../testing/clients/example-answers.ts';

const request = { content: 'Rain.', category_id: 'personal' } as const;
const body = { ...request, description: 'Weather', mode: 'instant' };

test('rejects a replay whose promise is of a description that the operator took down', async () => {
  const { etch, promise } = madeAnswer({ ...request, description: TAKEN_DOWN });
  const fieldsOf = async (answer: object, replayed: boolean) =>
    (await checkAnswer({ operation: 'createEtch', body, answer, replayed }, {})).map(({ field }) => field);
  expect(await fieldsOf({ etch, promise: null }, true)).toEqual([]);
  expect(await fieldsOf({ etch, promise }, true)).toEqual(['promise']);
  expect(await fieldsOf({ etch, promise }, false)).toEqual(['etch.description']);
});
