import { appendFileSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { useAccount } from './support/account.ts';
import { useCountingProxy } from './support/counting-proxy.ts';
import { folderOf } from './support/folder.ts';
import { ends } from '../../../testing/clients/ends.ts';

const service = useSharedService();
const proxy = useCountingProxy(service);
const { run } = useAccount({ at: proxy });
const etch = (...args: string[]) => run(['etch', '--description', 'Plans', '--json', ...args]);

describe('rejects and etches nothing:', () => {
  const linked = (target: string) => {
    const path = folderOf({ 'a.txt': 'a' });
    symlinkSync(target, join(path, 'link'));
    return path;
  };
  const cases: [string, () => string[], number, RegExp][] = [
    ['no such file', () => ['--files', '/nowhere/at/all'], 66, /cannot be read \(ENOENT\)/],
    ['an empty folder', () => ['--files', folderOf({})], 66, /contains no file/],
    [
      'a link out of the folder',
      () => ['--files', linked('/etc/passwd')],
      66,
      /is a link out of the folder, to \/etc\/passwd/,
    ],
    ['a link to nothing', () => ['--files', linked('gone')], 66, /link cannot be read \(ENOENT\)/],
    [
      'a link to a folder',
      () => ['--files', linked('.')],
      66,
      /is a link out of the folder|is a link to a folder/,
    ],
    ['a device', () => ['--files', '/dev/null'], 66, /is neither a file nor a folder/],
    ['a name that turns around', () => ['--files', folderOf({ 'a\u202etxt.exe': 'a' })], 66, /holds U\+202E/],
    ['a name of two lines', () => ['--files', folderOf({ 'a\nb': 'a' })], 66, /holds U\+000A/],
    ['a backslash in a name', () => ['--files', folderOf({ 'a\\b': 'a' })], 66, /holds a backslash/],
    [
      'two equal names',
      () => ['--files', folderOf({ 'a.txt': 'a' }), '--files', folderOf({ 'a.txt': 'b' })],
      66,
      /two files have the name "a.txt"/,
    ],
    [
      'a list that is too long',
      () => [
        '--short',
        '--files',
        folderOf(Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`${n}`, '']))),
      ],
      64,
      /an etch at most 2000; nothing was etched. Omit --short/,
    ],
    [
      'a manifest that would be overwritten',
      () => {
        const path = folderOf({ 'a.txt': 'a', kept: 'the only salts' });
        return ['--files', path, '--manifest', join(path, 'kept')];
      },
      64,
      /kept exists and was not changed/,
    ],
    [
      'files beside a forecast',
      () => ['--files', folderOf({ a: '' }), '--forecast', 'yes=1'],
      64,
      /each makes its own etch/,
    ],
    ['a manifest without files', () => ['text', '--manifest', 'x'], 64, /--files/],
  ];
  test.each(cases)('%s', async (_what, args, status, message) => {
    proxy.sent = [];
    const given = args();
    await ends(etch(...given), status, { err: message });
    expect(Buffer.concat(proxy.sent).toString('latin1')).not.toContain('POST');
    const kept = given.at(-1)!;
    if (kept.endsWith('/kept')) expect(readFileSync(kept, 'utf8')).toBe('the only salts');
  });

  test('rejects a file that changes during the read', async () => {
    const path = folderOf({});
    const file = join(path, 'growing.bin');
    writeFileSync(file, Buffer.alloc(64 * 1024 * 1024));
    const growing = setInterval(() => appendFileSync(file, 'x'), 1);
    try {
      await ends(etch('--files', path), 66, {
        err: 'growing.bin changed while svc read it; try again; nothing was etched',
      });
    } finally {
      clearInterval(growing);
    }
  });
});

test('prints templates without etching', async () => {
  proxy.sent = [];
  for (const [name, begins] of [
    ['forecast', /^svc-forecast:v1 yes=/],
    [
      'preregistration',
      /^# Hypothesis[^]*# Design[^]*# Sample[^]*# Analysis[^]*# Exclusion rules[^]*# Stop rules/,
    ],
    ['disclosure', /signature check/],
  ] as const) {
    await ends(run(['etch', '--template', name]), 0, { out: begins, err: 'svc etch ' });
  }
  expect(Buffer.concat(proxy.sent)).toHaveLength(0);
  expect((await run(['etch', '--template', 'poem'])).status).toBe(64);
});
