import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ends } from '../../../testing/clients/ends.ts';
import { freshHome } from '../../../testing/clients/svc.ts';
import { useAccount } from './support/account.ts';

const { run } = useAccount();
let folder: string;
let instant: string;
let sealed: string;

beforeAll(async () => {
  const made = async (more: string[]) =>
    (await run(['etch', 'A rail.', '--description', 'A bird', ...more, '--field', 'etch.id'])).out.trim();
  instant = await made([]);
  sealed = await made(['--sealed-until', '1d']);
});
beforeEach(() => {
  folder = freshHome();
});

describe.each([
  ['receipt --out', (file: string) => ['receipt', instant, '--out', file]],
  ['evidence --out', (file: string) => ['evidence', instant, '--out', file]],
  ['opening --out', (file: string) => ['opening', sealed, '--out', file]],
  ['etch --save', (file: string) => ['etch', 'A rail.', '--description', 'A bird', '--save', file]],
])('svc %s', (_, command) => {
  const ended = async (file: string) => (await run(command(file))).status;
  const entries = () => readdirSync(folder).sort();

  test('makes a file readable by its owner only', async () => {
    const file = join(folder, 'new.json');
    expect([0, 2]).toContain(await ended(file));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(entries()).toEqual(['new.json']);
  });

  test('replaces a world-readable file, and a file behind a link', async () => {
    const [file, link] = [join(folder, 'old.json'), join(folder, 'link.json')];
    writeFileSync(file, 'old');
    chmodSync(file, 0o644);
    symlinkSync(file, link);
    const open = openSync(file, 'r');
    for (const path of [file, link]) {
      chmodSync(file, 0o644);
      expect([0, 2]).toContain(await ended(path));
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(JSON.parse(readFileSync(file, 'utf8'))).toBeTypeOf('object');
    }
    expect(readFileSync(open, 'utf8'), 'a program that has it open reads the old one').toBe('old');
    closeSync(open);
    expect(entries()).toEqual(['link.json', 'old.json']);
  });

  test('writes directly to a device', async () => {
    expect([0, 2]).toContain(await ended('/dev/null'));
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  test('names a path that cannot be written', async () => {
    mkdirSync(join(folder, 'folder'));
    for (const [path, code] of [
      [join(folder, 'folder'), 'EISDIR'],
      [join(folder, 'nowhere', 'file'), 'ENOENT'],
    ] as const)
      expect(await run(command(path))).toMatchObject({
        status: 66,
        err: `svc: ${path} cannot be written (${code}); name a file in a folder that you can write\n`,
      });
    expect(entries()).toEqual(['folder']);
  });
});

test('svc etch --save checks its file before anything is sent', async () => {
  const file = join(folder, 'nowhere', 'file');
  const etch = ['etch', 'Never sent.', '--description', 'Nothing', '--save', file];
  await ends(run(etch), 66);
  await ends(run([...etch, '--blind', '--sealed-until', '1d']), 66);
  await ends(run(['record', '--json']), 0, { without: '"Nothing"' });
});
