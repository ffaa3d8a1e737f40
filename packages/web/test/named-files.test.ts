import { expect, test } from 'vitest';
import { type Dropped, namedFiles } from '../src/named-files.ts';

type Tree = { [name: string]: Tree | string };

const fileOf = (text: string, name: string, webkitRelativePath = ''): File =>
  Object.assign(new Blob([text]), { name, webkitRelativePath }) as unknown as File;

/** Behaves like a browser: two entries at once, and none after the last. */
const entryOf = (tree: Tree | string, name: string): FileSystemEntry =>
  (typeof tree === 'string'
    ? {
        name,
        isDirectory: false,
        file: (done: (file: File) => void, failed: () => void) =>
          tree === 'gone' ? failed() : done(fileOf(tree, name)),
      }
    : {
        name,
        isDirectory: true,
        createReader() {
          const left = Object.entries(tree).map(([inside, below]) => entryOf(below, inside));
          return { readEntries: (done: (some: FileSystemEntry[]) => void) => done(left.splice(0, 2)) };
        },
      }) as unknown as FileSystemEntry;

const dropped = (tree: Tree): Dropped[] => [{ entry: entryOf(tree, 'plans'), file: null }];

test('reads a dropped folder completely, and leaves its own name out', async () => {
  const named = await namedFiles([
    ...dropped({ 'a.txt': 'a', deep: { deeper: { 'b.txt': 'b' }, none: {} }, 'c.txt': 'c', 'd.txt': 'd' }),
    { entry: null, file: fileOf('e', 'e.txt') },
    { entry: null, file: null },
  ]);
  expect(named.map(({ name }) => name)).toEqual(['a.txt', 'deep/deeper/b.txt', 'c.txt', 'd.txt', 'e.txt']);
});

test('gives the same names for a chosen folder', async () => {
  const chosen = { entry: null, file: fileOf('b', 'b.txt', 'plans/deep/b.txt') };
  expect((await namedFiles([chosen])).map(({ name }) => name)).toEqual(['deep/b.txt']);
});

test('reports an unreadable file, and too many files for a root', async () => {
  await expect(namedFiles(dropped({ 'x.txt': 'gone' }))).rejects.toThrow('x.txt cannot be read.');
  const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`${at}`, 'x']));
  await expect(namedFiles(dropped(many))).rejects.toThrow('At most 10000 files.');
});
