// Runs without a database.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './imports.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

test('npm test runs each test project', () => {
  const projects = [...read('vitest.config.ts').matchAll(/\bname: '(.+?)'/g)].map(([, name]) => name);
  const [, soak, usual] = /const sides = soak\n {4}\? ([^;]+)\n {4}: ([^;]+);/.exec(
    read('scripts/test.mjs'),
  )!;
  for (const lists of [soak!, usual!]) {
    const run = [...lists.matchAll(/'([a-z0-9-]+)'/g)].map(([, name]) => name);
    expect(run.toSorted()).toEqual(projects.toSorted());
  }
});
