// Runs without a database.
import { CreateChallengeBody } from '@svc/contract';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { requestText } from '../../src/accounts/idempotency-store.ts';

const FIRST = ['question', 'category_id', 'reveal_at'] as const;
const request = { reveal_at: '2030-01-01T00:00:00.000Z', question: 'How many?', category_id: 'science' };
const text = '"How many?","science","2030-01-01T00:00:00.000Z"';

test('the first fields keep their places, as in stored fingerprints', () => {
  expect(requestText(CreateChallengeBody, FIRST, request)).toBe(`[${text}]`);
});

test('a field of the schema that is not among the first follows with its name, if the request has it', () => {
  const schema = Type.Object({
    ...CreateChallengeBody.properties,
    tone: Type.Optional(Type.String()),
    language: Type.Optional(Type.String()),
  });
  const textOf = (more: object) => requestText(schema, FIRST, { ...request, ...more });
  expect(textOf({ tone: null, unknown: 'ignored' })).toBe(`[${text}]`);
  expect(textOf({ tone: 'dry', language: 'de' })).toBe(`[${text},["language","de"],["tone","dry"]]`);
});
