// Runs without a database.
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { DatabaseUnavailable, StatementFailed } from '../../src/db/db.ts';
import { sendError } from '../../src/http/errors.ts';

const answerTo = async (error: Error) => {
  const app = fastify();
  app.setErrorHandler(sendError);
  app.get('/', () => {
    throw error;
  });
  const { statusCode, headers, body } = await app.inject('/');
  await app.close();
  const { code } = (JSON.parse(body) as { error: { code: string } }).error;
  return { status: statusCode, code, retry: headers['retry-after'] };
};

test.each([
  ['cannot be reached', new DatabaseUnavailable('away')],
  ['cancels a statement that takes too long', new StatementFailed('57014', 'see the code')],
  ['ends a deadlock', new StatementFailed('40P01', 'see the code')],
  ['has no disk left', new StatementFailed('53100', 'see the code')],
])('returns 503 with a retry time when the database %s', async (_name, error) => {
  expect(await answerTo(error)).toEqual({ status: 503, code: 'service_unavailable', retry: '1' });
});

test('reports a malformed SQL statement as an internal error', async () => {
  const answer = await answerTo(new StatementFailed('42601', 'syntax error'));
  expect(answer).toMatchObject({ status: 500, code: 'internal' });
});
