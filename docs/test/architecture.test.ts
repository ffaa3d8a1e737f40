import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LAYERS, PACKAGES } from '../../house.config.js';
import { read, root, trackedFiles } from './pages.ts';

const page = read('docs/architecture.md');
const server = 'packages/server/src';

/** A file as the page names it: from the root, from `packages/`, or from the server's rooms. */
const resolve = (named: string): string | undefined =>
  [named, `packages/${named}`, `${server}/${named}`].find((file) => existsSync(join(root, file)));

const spans = [...page.matchAll(/`([^`\n]+)`/g)].map(([, span]) => span!);
const tracked = trackedFiles();
const sources = tracked.filter((file) => /^(?:packages\/[^/]+\/src|testing)\/.*\.tsx?$/.test(file));
const declares = (text: string, name: string): boolean =>
  new RegExp(`\\b(?:function\\*?|const|class|interface|type) ${name}\\b`).test(text);

/** The lines of a drawing: the names each begins with, without what is said of them. */
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
  test('names files that are there', () => {
    const files = spans.filter((span) => /^[\w.-]+\/[\w./-]*(?:\.\w+|\/)$/.test(span));
    expect(files.length).toBeGreaterThan(40);
    expect(files.filter((file) => resolve(file) === undefined)).toEqual([]);
  });

  test('names functions that are where it says', () => {
    const named = [...page.matchAll(/`(\w+)`(?: and `(\w+)`)?[^`|.;]{0,3} (?:in|of)\s+`([\w./-]+\.tsx?)`/g)];
    expect(named.length).toBeGreaterThan(35);
    const wrong = named.flatMap(([, one, other, file]) => {
      const path = resolve(file!);
      const text = path === undefined ? '' : read(path);
      return [one!, ...(other === undefined ? [] : [other])]
        .filter((name) => !declares(text, name))
        .map((name) => `${name} in ${file}`);
    });
    expect(wrong).toEqual([]);
  });

  test('names nothing else that is not declared anywhere', () => {
    const names = spans.filter((span) => /^(?:[a-z]+[A-Z]|[A-Z][a-z]+[A-Z])\w*$/.test(span));
    expect(names.length).toBeGreaterThan(30);
    const texts = sources.map(read);
    expect([...new Set(names)].filter((name) => !texts.some((text) => declares(text, name)))).toEqual([]);
  });

  test('draws every package, and imports run down', () => {
    const lines = drawing('packages', Object.keys(PACKAGES));
    expect(lines.flat().sort()).toEqual(Object.keys(PACKAGES).sort());
    const height = (name: string): number => lines.findIndex((line) => line.includes(name));
    for (const [name, others] of Object.entries(PACKAGES))
      for (const other of others)
        expect(height(other), `${name} above ${other}`).toBeGreaterThan(height(name));
  });

  test('draws every room, in the layers that the house has', () => {
    const layers = LAYERS.map((rooms) => [...rooms].sort()).reverse();
    expect(drawing('rooms', LAYERS.flat()).map((line) => line.sort())).toEqual(layers);
  });

  test('lists every folder of what tests share', () => {
    const folders = tracked
      .map((file) => /^testing\/[^/]+\//.exec(file)?.[0])
      .filter((name) => name !== undefined);
    const listed = [...page.matchAll(/^\| `(testing\/[^/]+\/)`/gm)].map(([, name]) => name);
    expect(listed.sort()).toEqual([...new Set(folders)].sort());
  });
});
