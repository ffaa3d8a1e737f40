import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { useAccount } from './support/account.ts';
import { useCountingProxy } from './support/counting-proxy.ts';
import { folderOf } from './support/folder.ts';
import { ends, jsonOf } from '../../../testing/clients/ends.ts';

const service = useSharedService();
const proxy = useCountingProxy(service);
const { home, run } = useAccount({ at: proxy });
const etch = (...args: string[]) => run(['etch', '--description', 'Plans', '--json', ...args]);
const sent = () => Buffer.concat(proxy.sent).toString('latin1');
beforeEach(() => void (proxy.sent = []));

describe('rejects and etches nothing:', () => {
  const linked = (target: string) => {
    const path = folderOf({ 'a.txt': 'a' });
    symlinkSync(target, join(path, 'link'));
    return path;
  };
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`${n}`, '']));
  test.each<[string, () => string[], number, RegExp]>([
    ['no such file', () => ['/nowhere/at/all'], 66, /cannot be read \(ENOENT\)/],
    ['an empty folder', () => [folderOf({})], 66, /contains no file/],
    ['a link out of the folder', () => [linked('/etc/passwd')], 66, /a link out of the folder, to \/etc\/pa/],
    ['a link to nothing', () => [linked('gone')], 66, /link cannot be read \(ENOENT\)/],
    ['a link to a folder', () => [linked('.')], 66, /is a link (out of the|to a) folder/],
    ['a device', () => ['/dev/null'], 66, /is neither a file nor a folder/],
    ['a name that turns around', () => [folderOf({ 'a\u202etxt.exe': 'a' })], 66, /contains U\+202E/],
    ['a name of two lines', () => [folderOf({ 'a\nb': 'a' })], 66, /contains U\+000A/],
    ['a backslash in a name', () => [folderOf({ 'a\\b': 'a' })], 66, /contains a backslash/],
    [
      'two equal names',
      () => [folderOf({ 'a.txt': 'a' }), '--files', folderOf({ 'a.txt': 'b' })],
      66,
      /two files have the name "a.txt"/,
    ],
    ['a list that is too long', () => [folderOf(many), '--short'], 64, /at most 2000; nothing.*Omit --short/],
    ['files beside a forecast', () => [folderOf({ a: '' }), '--forecast', 'yes=1'], 64, /makes its own etch/],
  ])('%s', async (_what, args, status, message) => {
    await ends(etch('--files', ...args()), status, { err: message });
    expect(sent()).not.toContain('POST');
  });

  test('a manifest that would be overwritten, and one without files', async () => {
    const path = folderOf({ 'a.txt': 'a', kept: 'the only salts' });
    const kept = join(path, 'kept');
    await ends(etch('--files', path, '--manifest', kept), 64, { err: /kept exists and was not changed/ });
    expect(readFileSync(kept, 'utf8')).toBe('the only salts');
    await ends(etch('text', '--manifest', 'x'), 64, { err: '--files' });
    expect(sent()).not.toContain('POST');
  });

  test('a file that changes during the read', async () => {
    const path = folderOf({ 'growing.bin': Buffer.alloc(64 * 1024 * 1024) });
    const growing = setInterval(() => appendFileSync(join(path, 'growing.bin'), 'x'), 1);
    try {
      await ends(etch('--files', path), 66, {
        err: 'growing.bin changed while svc read it; try again; nothing was etched',
      });
    } finally {
      clearInterval(growing);
    }
  });
});

describe('a list of sha256sum', () => {
  const sum = (text: string) => execFileSync('sha256sum', { input: text, encoding: 'utf8' }).slice(0, 64);

  test('commits to its files', async () => {
    const folder = folderOf({ 'a b.txt': 'one', 'dist/c.bin': 'two', 'other.txt': 'not listed' });
    const text = execFileSync('sha256sum', ['a b.txt', './dist/c.bin'], { cwd: folder, encoding: 'utf8' });
    const binary = text
      .replace('  ./dist', ' *./dist')
      .toUpperCase()
      .replace(/ .*$/gm, (name) => name.toLowerCase());
    const list = join(folder, 'SHA256SUMS');
    writeFileSync(list, binary.replaceAll('\n', '\r\n'));
    const manifest = join(home, 'manifest.json');
    const { id } = (await jsonOf(etch('--sums', list, '--manifest', manifest, '--wait'))).etch;
    expect(JSON.parse(readFileSync(manifest, 'utf8')).files).toMatchObject([
      { name: 'a b.txt', sha256: sum('one') },
      { name: 'dist/c.bin', sha256: sum('two') },
    ]);
    const files = ['--manifest', manifest, '--files', join(folder, 'a b.txt')];
    await ends(run(['verify', id, '--trust', service.url, ...files]), 0);
  });

  test('is in the words with --short', async () => {
    const list = join(folderOf({ a: 'one', SHA256SUMS: `${sum('one')}  a\n` }), 'SHA256SUMS');
    const { content } = (await jsonOf(etch('--sums', list, '--short'))).etch;
    expect(content).toBe(`svc-files:v1\n${sum('one')}  a\n`);
  });

  const [one, two] = [sum('one'), sum('two')];
  test.each<[string, string | Buffer, number, RegExp]>([
    ['a changed file', `${two}  a`, 1, /a is not the file in .*SHA256SUMS: its SHA-256 is/],
    ['a missing file', `${one}  b`, 66, /names b, and .*\/b cannot be read \(ENOENT\)/],
    ['a folder', `${one}  folder`, 66, /names folder, and .* is not a file/],
    ['a name twice', `${one}  a\n${one} *./a`, 66, /two files have the name "a"/],
    ['an escaped line end', `\\${one}  a\\nb`, 66, /the name "a\\nb"/],
    ['an escaped backslash', `\\${one}  a\\\\nb`, 66, /the name "a\\\\nb" contains a backslash/],
    ['a path out of the folder', `${one}  ../a`, 66, /leads out of its folder/],
    ['an absolute path', `${one}  /etc/passwd`, 66, /is absolute/],
    ['another form', `SHA256 (a) = ${one}`, 66, /line 1 of .* is not a line of sha256sum/],
    ['an empty line', `${one}  a\n\n`, 66, /line 2 of .* is not a line of sha256sum/],
    ['an empty list', '', 66, /line 1 of .* is not a line of sha256sum/],
    ['a list that is not UTF-8', Buffer.from([0xff, 0xfe, 0x41]), 66, /is not UTF-8/],
  ])('etches nothing on %s', async (_, text, status, message) => {
    const list = join(folderOf({ a: 'one', 'folder/b': 'two', SHA256SUMS: text }), 'SHA256SUMS');
    await ends(etch('--sums', list), status, { err: [message, 'nothing was etched'] });
    await ends(etch('--sums', list, '--files', list), 64);
  });
});

test('prints templates without etching', async () => {
  const sections = /^# Hypothesis[^]*# Design[^]*# Sample[^]*# Analysis[^]*# Exclusion rules[^]*# Stop rules/;
  for (const [name, begins] of [
    ['forecast', /^svc-forecast:v1 yes=/],
    ['preregistration', sections],
    ['disclosure', /signature check/],
  ] as const)
    await ends(run(['etch', '--template', name]), 0, { out: begins, err: 'svc etch ' });
  await ends(run(['etch', '--template', 'poem']), 64);
  expect(sent()).toBe('');
});
