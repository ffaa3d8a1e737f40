import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { useCountingProxy } from './support/counting-proxy.ts';
import { freshHome, svc } from './support/svc.ts';
import type { Ran } from './support/svc.ts';

const service = useSharedService();
const home = freshHome();
/** So many with TEST_SOAK=1, as many as there can be; the rules are the same for fewer. */
const MANY = process.env['TEST_SOAK'] === '1' ? 10_000 : 400;

const proxy = useCountingProxy(service);
beforeAll(async () => {
  const made = await run(['register', '--name', 'Weir builder']);
  expect(made, made.err).toMatchObject({ status: 0 });
});

const run = (args: string[], more: { input?: string; env?: Record<string, string> } = {}): Promise<Ran> =>
  svc(args, { home, ...more, env: { SVC_BASE_URL: proxy.url, ...more.env } });

const folder = (files: Record<string, string | Buffer>): string => {
  const path = mkdtempSync(join(tmpdir(), 'svc-files-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(path, name, '..'), { recursive: true });
    writeFileSync(join(path, name), content);
  }
  return path;
};
const etch = (...args: string[]) => run(['etch', '--description', 'Plans', '--json', ...args]);

describe(`${MANY} files`, () => {
  let path: string;
  let manifest: string;
  let etched: { id: string; content: string };
  const nameOf = (n: number) => `part ${n % 7}/Maß ${n}.txt`;
  const textOf = (n: number) => `the secret plan number ${n} of the weir`;

  test('are committed to, and nothing of them leaves', async () => {
    path = folder(Object.fromEntries(Array.from({ length: MANY }, (_, n) => [nameOf(n), textOf(n)])));
    manifest = join(home, 'manifest.json');
    proxy.sent = [];
    const ran = await etch('--files', path, '--manifest', manifest, '--wait', 'Drawn in spring.');
    expect(ran, ran.err).toMatchObject({ status: 0 });
    const told = JSON.parse(ran.out);
    etched = told.etch;
    expect(etched.content).toMatch(
      new RegExp(`^svc-files:v1 root=[0-9a-f]{64} files=${MANY}\\nDrawn in spring\\.$`),
    );
    expect(told.files).toMatchObject({ form: 'root', files: MANY, manifest });
    expect(statSync(manifest).mode & 0o777).toBe(0o600);

    const left = Buffer.concat(proxy.sent).toString('latin1');
    expect(left).toContain('svc-files:v1 root=');
    // Far less than one byte a file, whatever their names and contents.
    const posted = left.slice(left.indexOf('POST /api/v1/etches'), left.indexOf('GET /api/v1/etches/'));
    expect(posted.length).toBeLessThan(2_000);
    const { files } = JSON.parse(readFileSync(manifest, 'utf8'));
    expect(files).toHaveLength(MANY);
    for (const { name, sha256, salt } of files)
      for (const secret of [Buffer.from(name).toString('latin1'), sha256, salt])
        expect(left).not.toContain(secret);
    expect(left).not.toContain('secret plan');
  });

  const verify = (...args: string[]) => run(['verify', etched.id, '--trust', service.url, ...args]);

  test('are compared with the words, by the manifest', async () => {
    const ran = await verify('--files', path, '--manifest', manifest);
    expect(ran, ran.out + ran.err).toMatchObject({ status: 0 });
    expect(ran.out).toContain(`All ${MANY} files are those of the manifest, and none is missing.`);
    expect(ran.out).toContain('PASS: the receipt holds.');
    const alone = await run(['verify', '--files', path, '--manifest', manifest]);
    expect(alone.status).toBe(2);
    expect(alone.out).toMatch(/AGREES {2}The files[^]*WAIT: the files agree with the manifest; /);

    appendFileSync(join(path, nameOf(3)), '.');
    // As many as there can be stay as many.
    renameSync(join(path, nameOf(4)), join(path, 'new.txt'));
    const changed = await verify('--files', path, '--manifest', manifest, '--json');
    expect(changed.status).toBe(1);
    const { files } = JSON.parse(changed.out);
    expect(files.evidence.map(({ label }: { label: string }) => label).sort()).toEqual(
      ['new.txt', nameOf(3), nameOf(4)].sort(),
    );
    writeFileSync(join(path, nameOf(3)), textOf(3));
    renameSync(join(path, 'new.txt'), join(path, nameOf(4)));
  });

  test('one is disclosed; each changed byte of it, and each other file, is refused', async () => {
    const shown = join(home, 'shown.json');
    const made = await run(['files', 'disclose', manifest, nameOf(5), '--out', shown]);
    expect(made, made.err).toMatchObject({ status: 0 });
    expect(readFileSync(shown, 'utf8')).not.toContain(nameOf(6));
    const file = join(path, nameOf(5));
    const ran = await verify('--files', file, '--disclosure', shown);
    expect(ran, ran.out + ran.err).toMatchObject({ status: 0 });
    expect(ran.out).toContain('The file is among those of the disclosure.');

    const bytes = Buffer.from(textOf(5));
    const changed = folder(
      Object.fromEntries(
        [...bytes.keys()].map((at) => {
          const other = Buffer.from(bytes);
          other[at]! ^= 1;
          return [`byte ${at}`, other];
        }),
      ),
    );
    const others = await verify('--files', changed, '--disclosure', shown, '--json');
    expect(others.status).toBe(1);
    expect(JSON.parse(others.out).files.detail).toBe(
      `${bytes.length} of the files differ from the disclosure.`,
    );
    expect((await verify('--files', join(path, nameOf(6)), '--disclosure', shown)).status).toBe(1);

    const kept = JSON.parse(readFileSync(shown, 'utf8'));
    const forged = join(home, 'forged.json');
    writeFileSync(forged, JSON.stringify({ ...kept, file: { ...kept.file, name: 'better.txt' } }));
    const refused = await verify('--files', file, '--disclosure', forged);
    expect(refused).toMatchObject({ status: 1, out: '' });
    expect(refused.err).toContain('is not under the root');
  });

  test('a manifest of other words fails; none at all is asked for', async () => {
    const other = join(home, 'other.json');
    expect((await etch('--files', path, '--manifest', other)).status).toBe(0);
    const ran = await verify('--files', path, '--manifest', other);
    expect(ran.status).toBe(1);
    expect(ran.out).toMatch(
      /The words commit to \d+ files under the root [0-9a-f]{64}, the manifest is of \d+ under/,
    );
    expect((await verify('--files', path)).status).toBe(64);
  });
});

test('the short form is what sha256sum writes, and checks', async () => {
  const path = folder({ 'a.txt': 'a', 'b/c d.txt': 'b' });
  const ran = await etch('--files', path, '--short', '--wait');
  expect(ran, ran.err).toMatchObject({ status: 0 });
  expect(ran.err).toContain('Whoever has a guess at one of these files can confirm it');
  const { etch: made } = JSON.parse(ran.out);
  const list = join(home, 'list');
  writeFileSync(list, made.content);
  if (spawnSync('sha256sum', ['--version']).status === 0)
    expect(
      execFileSync('sha256sum', ['-c', '--quiet', list], { cwd: path, encoding: 'utf8', stdio: 'pipe' }),
    ).toBe('');
  const checked = await run(['verify', made.id, '--trust', service.url, '--files', path]);
  expect(checked, checked.out + checked.err).toMatchObject({ status: 0 });
  writeFileSync(join(path, 'a.txt'), 'b');
  expect((await run(['verify', made.id, '--trust', service.url, '--files', path])).status).toBe(1);
});

describe('refused, and nothing is etched:', () => {
  const linked = (target: string) => {
    const path = folder({ 'a.txt': 'a' });
    symlinkSync(target, join(path, 'link'));
    return path;
  };
  const cases: [string, () => string[], number, RegExp][] = [
    ['no such file', () => ['--files', '/nowhere/at/all'], 66, /cannot be read \(ENOENT\)/],
    ['an empty folder', () => ['--files', folder({})], 66, /holds no file/],
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
    ['a name that turns around', () => ['--files', folder({ 'a\u202etxt.exe': 'a' })], 66, /holds U\+202E/],
    ['a name of two lines', () => ['--files', folder({ 'a\nb': 'a' })], 66, /holds U\+000A/],
    ['a backslash in a name', () => ['--files', folder({ 'a\\b': 'a' })], 66, /holds a backslash/],
    [
      'two equal names',
      () => ['--files', folder({ 'a.txt': 'a' }), '--files', folder({ 'a.txt': 'b' })],
      66,
      /two files have the name "a.txt"/,
    ],
    [
      'a list that is too long',
      () => [
        '--short',
        '--files',
        folder(Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`${n}`, '']))),
      ],
      64,
      /an etch at most 2000: leave --short out/,
    ],
    [
      'a manifest that would be overwritten',
      () => {
        const path = folder({ 'a.txt': 'a', kept: 'the only salts' });
        return ['--files', path, '--manifest', join(path, 'kept')];
      },
      64,
      /kept exists; it was not touched/,
    ],
    [
      'files beside a forecast',
      () => ['--files', folder({ a: '' }), '--forecast', 'yes=1'],
      64,
      /an etch of their own/,
    ],
    ['a manifest without files', () => ['text', '--manifest', 'x'], 64, /--files/],
  ];
  test.each(cases)('%s', async (_what, args, status, message) => {
    proxy.sent = [];
    const given = args();
    const ran = await etch(...given);
    expect(ran, ran.out).toMatchObject({ status });
    expect(ran.err).toMatch(message);
    expect(Buffer.concat(proxy.sent).toString('latin1')).not.toContain('POST');
    const kept = given.at(-1)!;
    if (kept.endsWith('/kept')) expect(readFileSync(kept, 'utf8')).toBe('the only salts');
  });

  test('a file that changes while it is read', async () => {
    const path = folder({});
    const file = join(path, 'growing.bin');
    writeFileSync(file, Buffer.alloc(64 * 1024 * 1024));
    const growing = setInterval(() => appendFileSync(file, 'x'), 1);
    try {
      const ran = await etch('--files', path);
      expect(ran, ran.out).toMatchObject({ status: 66 });
      expect(ran.err).toContain('growing.bin changed while it was read; nothing was etched');
    } finally {
      clearInterval(growing);
    }
  });
});

test('a link to a file of the same folder is that file; the manifest may lie in it', async () => {
  const path = folder({ 'a/b.txt': 'b' });
  symlinkSync('a/b.txt', join(path, 'link.txt'));
  const ran = await etch('--files', path, '--manifest', join(path, 'm.json'), '--wait');
  expect(ran, ran.err).toMatchObject({ status: 0 });
  const { id } = JSON.parse(ran.out).etch;
  const { files } = JSON.parse(readFileSync(join(path, 'm.json'), 'utf8'));
  expect(files.map(({ name }: { name: string }) => name)).toEqual(['a/b.txt', 'link.txt']);
  const checked = await run([
    'verify',
    id,
    '--trust',
    service.url,
    '--files',
    path,
    '--manifest',
    join(path, 'm.json'),
  ]);
  expect(checked, checked.out + checked.err).toMatchObject({ status: 0 });
});

test('a request that is repeated under its key has the words it had', async () => {
  const path = folder({ 'a.txt': 'a' });
  const again = ['--files', path, '--manifest', join(path, 'm.json'), '--idempotency-key', 'weir-1'];
  const [first, second] = [await etch(...again), await etch(...again)];
  expect(second, second.err).toMatchObject({ status: 0 });
  expect(JSON.parse(second.out)).toMatchObject({
    replayed: true,
    etch: { id: JSON.parse(first.out).etch.id },
  });
  writeFileSync(join(path, 'a.txt'), 'b');
  expect((await etch(...again)).err).toContain('is of other files; it was not touched');
});

test('templates are printed, and etch nothing; each is what it shows', async () => {
  proxy.sent = [];
  for (const [name, begins] of [
    ['forecast', /^svc-forecast:v1 yes=/],
    ['preregistration', /^# Hypothesis[^]*# Method[^]*# Analysis plan[^]*# Stop rule/],
    ['disclosure', /signature check/],
  ] as const) {
    const ran = await run(['etch', '--template', name]);
    expect(ran).toMatchObject({ status: 0, out: expect.stringMatching(begins) });
    expect(ran.err).toContain('svc etch ');
  }
  expect(Buffer.concat(proxy.sent)).toHaveLength(0);
  expect((await run(['etch', '--template', 'poem'])).status).toBe(64);
  expect(existsSync(home) && readdirSync(home)).toBeTruthy();
});
