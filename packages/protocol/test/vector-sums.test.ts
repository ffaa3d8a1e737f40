import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../../../vectors');
const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8');

const vectors = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !/\.mjs$|^SHA256SUMS$/.test(entry.name))
  .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
  .toSorted();

const readVector = (path: string): Uint8Array => readFileSync(join(folder, path));

function faults(list: string, files: readonly string[], read = readVector): string[] {
  const listed = new Map<string, string>();
  const wrong: string[] = [];
  for (const line of list.split('\n').slice(0, -1)) {
    const [, sum, path] = /^([0-9a-f]{64}) {2}(\S+)$/.exec(line) ?? [];
    if (sum === undefined || path === undefined) wrong.push(`no line of sha256sum: ${line}`);
    else if (listed.has(path)) wrong.push(`${path} is listed twice`);
    else listed.set(path, sum);
  }
  for (const path of files) {
    const sum = listed.get(path);
    if (sum === undefined) wrong.push(`${path} is not listed`);
    else if (createHash('sha256').update(read(path)).digest('hex') !== sum) wrong.push(`${path} was changed`);
  }
  return [
    ...wrong,
    ...[...listed.keys()].filter((path) => !files.includes(path)).map((path) => `${path} is gone`),
  ];
}

test('SHA256SUMS lists every vector with its hash', () => {
  expect(existsSync(join(folder, 'valid/worked-examples.json'))).toBe(true);
  expect(vectors.length).toBeGreaterThan(160);
  expect(faults(sums, vectors)).toEqual([]);
  expect(sums.endsWith('\n')).toBe(true);
});

const one = 'valid/hashes.json';
const line = new RegExp(`^.*  ${one}\n`, 'm').exec(sums)?.[0] ?? '';
const changed = (path: string) =>
  path === one ? Buffer.concat([readVector(path), Buffer.from('\n')]) : readVector(path);

test.each([
  ['that is changed by a byte', () => faults(sums, vectors, changed), `${one} was changed`],
  ['that is new and not listed', () => faults(sums.replace(line, ''), vectors), `${one} is not listed`],
  [
    'that is gone',
    () =>
      faults(
        sums,
        vectors.filter((path) => path !== one),
      ),
    `${one} is gone`,
  ],
  ['that is listed twice', () => faults(sums + line, vectors), `${one} is listed twice`],
])('reports a vector %s', (_what, found, wrong) => {
  expect(found()).toEqual([wrong]);
});
