import { expect, test } from 'vitest';
import { findOperation, listOperations } from '../src/find-operation.ts';

test('finds every operation by method and path, and decodes parameters', () => {
  for (const { id, method, path } of listOperations()) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    const given = path.replace(/\{\w+\}/g, 'a%2Fb').replace('/api/v1', '');
    const found = findOperation(method.toLowerCase(), `${given}?limit=3&after=x%20y`);
    expect(found, path).toEqual({
      id,
      input: {
        ...(names.length > 0 && { params: Object.fromEntries(names.map((name) => [name, 'a/b'])) }),
        query: { limit: '3', after: 'x y' },
      },
    });
  }
});

test.each([
  ['GET', '/nothing'],
  ['PUT', '/etches'],
  ['GET', '/etches/a/b/c'],
  ['GET', ''],
])('%s %s is no operation', (method, path) => {
  expect(findOperation(method, path)).toBeUndefined();
});
