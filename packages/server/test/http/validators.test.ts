// Runs without a database.
import { ROUTES } from '@svc/contract';
import { fastify, type FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { AJV } from '../../src/http/app.ts';
import { etagOf, isKnown } from '../../src/http/representation.ts';

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

const asking = (header?: string) => ({ headers: { 'if-none-match': header } }) as unknown as FastifyRequest;

test('matches an ETag alone, in a list, as a weak tag and with a star, but never a part of it', () => {
  const etag = etagOf('page');
  expect(etag).toMatch(/^"[\w-]{22}"$/);
  for (const known of [etag, `"other", ${etag}`, `W/${etag}`, '*'])
    expect(isKnown(asking(known), etag), known).toBe(true);
  for (const other of [undefined, '', etagOf('pages'), etag.slice(0, -2), `"x${etag.slice(1)}`, `${etag}x`])
    expect(isKnown(asking(other), etag), String(other)).toBe(false);
});
