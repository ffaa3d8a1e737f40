import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../../../vectors');

test('SHA256SUMS lists every vector with its hash, once', () => {
  const vectors = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.mjs$|^SHA256SUMS$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  expect(vectors).toContain('valid/worked-examples.json');
  expect(vectors.length).toBeGreaterThan(160);
  const sumOf = (path: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, path)))
      .digest('hex');
  const lines = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').split('\n');
  expect(lines.pop()).toBe('');
  expect(lines.toSorted()).toEqual(vectors.map((path) => `${sumOf(path)}  ${path}`).toSorted());
});
