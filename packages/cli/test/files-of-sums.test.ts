import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOf } from './support/folder.ts';
import { ends } from '../../../testing/clients/ends.ts';
import { useAccount } from './support/account.ts';

const account = useAccount();
const { service, home } = account;
const run = (...args: string[]) => account.run(args);
const etch = (sums: string, ...more: string[]) =>
  run('etch', '--sums', sums, '--description', 'A release', '--json', ...more);
const sum = (text: string) => execFileSync('sha256sum', { input: text, encoding: 'utf8' }).slice(0, 64);

test('commits to the files of a list of sha256sum', async () => {
  const folder = folderOf({ 'a b.txt': 'one', 'dist/c.bin': 'two', 'other.txt': 'not listed' });
  const text = execFileSync('sha256sum', ['a b.txt', './dist/c.bin'], { cwd: folder, encoding: 'utf8' });
  const binary = text
    .replace('  ./dist', ' *./dist')
    .toUpperCase()
    .replace(/ .*$/gm, (name) => name.toLowerCase());
  writeFileSync(join(folder, 'SHA256SUMS'), binary.replaceAll('\n', '\r\n'));
  const manifest = join(home, 'manifest.json');
  const ran = await ends(etch(join(folder, 'SHA256SUMS'), '--manifest', manifest, '--wait'), 0);
  const listed = JSON.parse(readFileSync(manifest, 'utf8')).files;
  expect(listed.map(({ name, sha256 }: Record<string, string>) => [name, sha256])).toEqual([
    ['a b.txt', sum('one')],
    ['dist/c.bin', sum('two')],
  ]);
  const { id } = JSON.parse(ran.out).etch;
  await run('trust', service.url);
  await ends(run('verify', id, '--manifest', manifest, '--files', join(folder, 'a b.txt')), 0);
});

test('--short lists them in the words', async () => {
  const folder = folderOf({ a: 'one', SHA256SUMS: `${sum('one')}  a\n` });
  const ran = await etch(join(folder, 'SHA256SUMS'), '--short');
  expect(JSON.parse(ran.out).etch.content).toBe(`svc-files:v1\n${sum('one')}  a\n`);
});

test.each<[string, string, number, RegExp]>([
  ['a changed file', `${sum('two')}  a`, 1, /a is not the file in .*SHA256SUMS: its SHA-256 is/],
  ['a missing file', `${sum('one')}  b`, 66, /names b, and .*\/b cannot be read \(ENOENT\)/],
  ['a folder', `${sum('one')}  folder`, 66, /names folder, and .* is not a file/],
  ['a name twice', `${sum('one')}  a\n${sum('one')} *./a`, 66, /two files have the name "a"/],
  ['an escaped line end', `\\${sum('one')}  a\\nb`, 66, /the name "a\\nb"/],
  ['an escaped backslash', `\\${sum('one')}  a\\\\nb`, 66, /the name "a\\\\nb" holds a backslash/],
  ['a path out of the folder', `${sum('one')}  ../a`, 66, /leads out of its folder/],
  ['an absolute path', `${sum('one')}  /etc/passwd`, 66, /is absolute/],
  ['another form', `SHA256 (a) = ${sum('one')}`, 66, /line 1 of .* is not a line of sha256sum/],
  ['an empty line', `${sum('one')}  a\n\n`, 66, /line 2 of .* is not a line of sha256sum/],
  ['an empty list', '', 66, /line 1 of .* is not a line of sha256sum/],
])('etches nothing on %s', async (_, text, status, message) => {
  const folder = folderOf({ a: 'one', 'folder/b': 'two', SHA256SUMS: text });
  await ends(etch(join(folder, 'SHA256SUMS')), status, { err: [message, 'nothing was etched'] });
});

test('a list that is not UTF-8, and --sums with --files', async () => {
  const list = join(folderOf({ SHA256SUMS: Buffer.from([0xff, 0xfe, 0x41]) }), 'SHA256SUMS');
  expect(await etch(list)).toMatchObject({ status: 66, err: expect.stringContaining('is not UTF-8') });
  expect(await etch(list, '--files', list)).toMatchObject({ status: 64 });
});
