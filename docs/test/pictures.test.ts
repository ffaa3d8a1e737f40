import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { root, trackedFiles } from '../../testing/repository.ts';

const FOLDER = 'docs/pictures';
const MOST_BYTES = 60_000;
const MOST_BYTES_TOGETHER = 1_000_000;

const files = readdirSync(join(root, FOLDER)).sort();
const taken = files.filter((file) => file.endsWith('.webp'));

const shown = trackedFiles()
  .filter((file) => file.endsWith('.md'))
  .flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8');
    const at = (path: string) => normalize(join(dirname(page), path));
    return [...text.matchAll(/<picture>.*?<\/picture>|<img [^>]*>/gs)].map(([html]) => ({
      page,
      html,
      alt: /alt="([^"]*)"/.exec(html)?.[1] ?? '',
      paths: [...html.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, path]) => at(path!)),
    }));
  });

/** Width and height in pixels. */
function sizeOf(path: string): [number, number] {
  const bytes = readFileSync(join(root, path));
  // Canvas of the extended format, as Chromium writes it.
  if (path.endsWith('.webp')) return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
  const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(bytes.toString())!;
  return [Number(width), Number(height)];
}

test('every picture has its size, so that no text moves when it loads', () => {
  const markdown = trackedFiles().filter((file) => /^docs\/.*\.md$/.test(file));
  for (const file of markdown)
    expect(readFileSync(join(root, file), 'utf8'), file).not.toMatch(/!\[.*\]\((?!\w+:)/);
  for (const { page, html, paths } of shown) {
    const [, width, height] = /<img [^>]*width="(\d+)" height="(\d+)"/.exec(html) ?? [];
    const [own, high] = sizeOf(paths.at(-1)!);
    expect([page, Number(height)]).toEqual([page, Math.round((Number(width) * high) / own)]);
  }
});

test('every shown picture exists, and every picture is shown', () => {
  const paths = [...new Set(shown.flatMap(({ paths }) => paths))].filter((path) => path.startsWith(FOLDER));
  expect(paths.map((path) => basename(path)).sort()).toEqual(files);
});

test('every screenshot exists in both themes, and pages show the reader’s theme', () => {
  expect(taken.length).toBeGreaterThanOrEqual(12);
  const names = [...new Set(taken.map((file) => file.replace(/-(?:light|dark)\.webp$/, '')))];
  expect(taken).toEqual(names.flatMap((name) => [`${name}-dark.webp`, `${name}-light.webp`]).sort());
  for (const { page, html, paths } of shown.filter(({ html: tag }) => tag.includes('.webp'))) {
    const name = basename(paths[1]!).replace('-light.webp', '');
    expect(
      paths.map((path) => basename(path)),
      page,
    ).toEqual([`${name}-dark.webp`, `${name}-light.webp`]);
    expect(html, page).toContain('media="(prefers-color-scheme: dark)"');
  }
});

test('every picture has a sentence as its alternative text', () => {
  expect(shown.filter(({ alt }) => alt.split(' ').length < 6)).toEqual([]);
});

test('every picture is small', () => {
  const sizes = taken.map((file) => statSync(join(root, FOLDER, file)).size);
  expect(taken.filter((_, index) => sizes[index]! > MOST_BYTES)).toEqual([]);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_BYTES_TOGETHER);
});
