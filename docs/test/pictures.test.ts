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
    return [
      ...[...text.matchAll(/<picture>.*?<\/picture>/gs)].map(([html]) => ({
        page,
        html,
        alt: /alt="([^"]*)"/.exec(html)?.[1] ?? '',
        paths: [...html.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, path]) => at(path!)),
      })),
      ...[...text.matchAll(/!\[([^\]]*)\]\((?!\w+:)([^)]+)\)/g)].map(([html, alt, path]) => ({
        page,
        html,
        alt: alt!,
        paths: [at(path!)],
      })),
    ];
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
