import { expect, test } from 'vitest';
import { read } from '../../testing/repository.ts';

test('a source that the build writes does not make the build stale', () => {
  const written = [...read('.gitignore').matchAll(/^\/(packages\/\w+\/src\/.+)$/gm)].map(([, path]) => path!);
  expect(written.length).toBeGreaterThan(0);
  const list = /const WRITTEN = \[(.*)\]/.exec(read('scripts/prerequisites/prepare.mjs'))![1]!;
  expect([...list.matchAll(/'([^']+)'/g)].map(([, path]) => path)).toEqual(written);
});
