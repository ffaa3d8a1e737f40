import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LAYERS, PACKAGES } from '../../architecture.config.js';
import { read, root, trackedFiles } from '../../testing/repository.ts';

const page = read('docs/architecture.md');
const server = 'packages/server/src';

const resolve = (named: string): string | undefined =>
  [named, `packages/${named}`, `${server}/${named}`].find((file) => existsSync(join(root, file)));
const declares = (file: string, name: string): boolean =>
  new RegExp(`\\b(?:function\\*?|const|class|interface|type) ${name}\\b`).test(read(file));

/** One or two functions, and their file on the page. */
const placed = [
  ...page.matchAll(/`(\w+)`(?:,? and `(\w+)`)?[^`|.;]{0,3} (?:in|of)\s+`([\w./-]+\.tsx?)`/g),
].flatMap(([, one, other, file]) => [one, other].flatMap((name) => (name ? [{ name, file: file! }] : [])));

function drawing(name: string, known: readonly string[]): string[][] {
  const text = new RegExp(`^\`\`\`text ${name}\\n([^]*?)^\`\`\`$`, 'm').exec(page)?.[1] ?? '';
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const words = line.trim().split(/\s+/);
      const end = words.findIndex((word) => !known.includes(word));
      return words.slice(0, end < 0 ? undefined : end);
    });
}

describe('docs/architecture.md', () => {
  test('names paths that exist', () => {
    const paths = [...page.matchAll(/`([\w.-]+\/[\w./-]*)`/g)].map(([, path]) => path!);
    expect(paths.length).toBeGreaterThan(80);
    expect(paths.filter((path) => resolve(path) === undefined)).toEqual([]);
  });

  test('places functions in the files that declare them', () => {
    expect(placed.length).toBeGreaterThan(35);
    const wrong = placed.filter(({ name, file }) => !declares(resolve(file)!, name));
    expect(wrong).toEqual([]);
  });

  test('draws every package above what it imports', () => {
    const lines = drawing('packages', Object.keys(PACKAGES));
    expect(lines.flat().sort()).toEqual(Object.keys(PACKAGES).sort());
    const height = (name: string): number => lines.findIndex((line) => line.includes(name));
    for (const [name, others] of Object.entries(PACKAGES))
      for (const other of others)
        expect(height(other), `${name} above ${other}`).toBeGreaterThan(height(name));
  });

  test('draws every module of the server in its layer', () => {
    const layers = LAYERS.map((modules) => [...modules].sort()).reverse();
    expect(drawing('modules', LAYERS.flat()).map((line) => line.sort())).toEqual(layers);
  });
});

test('testing/README.md lists every folder of testing/', () => {
  const folders = trackedFiles().flatMap((file) => /^testing\/[^/]+\//.exec(file)?.[0] ?? []);
  const listed = [...read('testing/README.md').matchAll(/^\| `(testing\/[^/]+\/)`/gm)].map(
    ([, name]) => name,
  );
  expect(listed.sort()).toEqual([...new Set(folders)].sort());
});
