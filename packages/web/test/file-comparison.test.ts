import {
  discloseFile,
  fileListWords,
  fileRootWords,
  makeManifest,
  readWords,
} from '@svc/protocol/conventions';
import { expect, test } from 'vitest';
import { compareFiles } from '../src/file-comparison.ts';

const file = (name: string, digit: string, size = 3) => ({ name, sha256: digit.repeat(64), size });
const [plan, notes] = [file('plan.txt', 'a'), file('notes.txt', 'b')];
const read = (words: string) => {
  const found = readWords(words);
  if (found.kind !== 'files') throw new Error(words);
  return found;
};
const manifest = makeManifest([plan, notes].map((one) => ({ ...one, salt: 'c'.repeat(64) })));
const rooted = read(fileRootWords({ root: manifest.root, count: 2 }));

test('compares files with a list by their content', () => {
  const list = read(fileListWords([plan, notes]));
  const compared = compareFiles(list, [{ ...plan, name: 'copy.txt' }, file('plan.txt', 'd')], null);
  expect(compared).toEqual([
    { name: 'copy.txt', isSame: true, result: 'matches plan.txt in the list' },
    { name: 'plan.txt', isSame: false, result: 'matches no file in the list' },
  ]);
});

test('names the file with the same name if two files have one content, in either Unicode form', () => {
  const [first, second] = [file('a.txt', 'a'), file('e\u0301te\u0301.txt', 'a')];
  const compared = compareFiles(read(fileListWords([first, second])), [file('\u00e9t\u00e9.txt', 'a')], null);
  expect(compared[0]!.result).toBe('matches e\u0301te\u0301.txt in the list');
});

test('requires a manifest or a disclosure of this etch for a root', () => {
  expect(compareFiles(rooted, [plan], null)[0]!.result).toMatch(/add the manifest/);
  expect(compareFiles(rooted, [plan], manifest)[0]!.isSame).toBe(true);
  expect(compareFiles(rooted, [{ ...plan, size: 4 }], manifest)[0]!.isSame).toBe(false);
  const shown = discloseFile(manifest, 'notes.txt');
  expect(compareFiles(rooted, [plan, notes], shown).map(({ isSame }) => isSame)).toEqual([false, true]);
  const other = read(fileRootWords({ root: 'e'.repeat(64), count: 2 }));
  expect(compareFiles(other, [plan], manifest)[0]).toMatchObject({
    isSame: false,
    result: 'cannot be compared: the manifest belongs to a different etch',
  });
});
