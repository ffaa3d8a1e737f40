// Runs without a database.
import { ROUTES } from '@svc/contract';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { AJV } from '../../src/http/app.ts';

type Parts = { [P in 'params' | 'query' | 'body' | 'headers']?: object };

/** Validates each schema first, which the service leaves out. */
async function compiled(schema: object): Promise<void> {
  const app = fastify({ ajv: { ...AJV, customOptions: { ...AJV.customOptions, validateSchema: true } } });
  app.post('/', { schema, handler: () => '' });
  await app.ready();
  await app.close();
}

test('the schemas of every operation are valid', async () => {
  await expect(compiled({ body: { type: 'text' } })).rejects.toThrow('schema is invalid');
  for (const [name, route] of Object.entries(ROUTES)) {
    const { params, query: querystring, body, headers } = route as Parts;
    const schema = {
      ...(params && { params }),
      ...(querystring && { querystring }),
      ...(body && { body }),
      ...(headers && { headers }),
    };
    await expect(compiled(schema), name).resolves.toBeUndefined();
  }
});
