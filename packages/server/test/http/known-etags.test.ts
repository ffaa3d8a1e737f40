// Runs without a database.
import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { etagOf, isKnown } from '../../src/http/etag.ts';

const asking = (header?: string) => ({ headers: { 'if-none-match': header } }) as unknown as FastifyRequest;

test('matches an ETag alone, in a list, as a weak tag and with a star, but never a part of it', () => {
  const etag = etagOf('page');
  expect(etag).toMatch(/^"[\w-]{22}"$/);
  for (const known of [etag, `"other", ${etag}`, `W/${etag}`, '*'])
    expect(isKnown(asking(known), etag), known).toBe(true);
  for (const other of [undefined, '', etagOf('pages'), etag.slice(0, -2), `"x${etag.slice(1)}`, `${etag}x`])
    expect(isKnown(asking(other), etag), String(other)).toBe(false);
});
