import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { useAccount } from './support/account.ts';
import { useCountingProxy } from './support/counting-proxy.ts';
import { folderOf } from './support/folder.ts';
import { ends, jsonOf } from '../../../testing/clients/ends.ts';

const service = useSharedService();
/** As many as allowed with TEST_SOAK=1; the rules are the same for fewer. */
const MANY = process.env['TEST_SOAK'] === '1' ? 10_000 : 400;

const proxy = useCountingProxy(service);
const { home, run } = useAccount({ at: proxy });
const etch = (...args: string[]) => run(['etch', '--description', 'Plans', '--json', ...args]);

describe(`${MANY} files`, () => {
  let path: string;
  let manifest: string;
  let etched: { id: string; content: string };
  const nameOf = (n: number) => `part ${n % 7}/Maß ${n}.txt`;
  const textOf = (n: number) => `the secret plan number ${n} of the weir`;

  test('are committed without sending them', async () => {
    path = folderOf(Object.fromEntries(Array.from({ length: MANY }, (_, n) => [nameOf(n), textOf(n)])));
    manifest = join(home, 'manifest.json');
    proxy.sent = [];
    const answer = await jsonOf(etch('--files', path, '--manifest', manifest, '--wait', 'Drawn in spring.'));
    etched = answer.etch;
    expect(etched.content).toMatch(
      new RegExp(`^svc-files:v1 root=[0-9a-f]{64} files=${MANY}\\nDrawn in spring\\.$`),
    );
    expect(answer.files).toMatchObject({ form: 'root', files: MANY, manifest });
    expect(statSync(manifest).mode & 0o777).toBe(0o600);

    const left = Buffer.concat(proxy.sent).toString('latin1');
    expect(left).toContain('svc-files:v1 root=');
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

  test('are compared with the words by the manifest', async () => {
    await ends(verify('--files', path, '--manifest', manifest), 0, {
      out: [`All ${MANY} files are those of the manifest, and none is missing.`, 'PASS: the receipt holds.'],
    });
    await ends(run(['verify', '--files', path, '--manifest', manifest]), 2, {
      out: /AGREES {2}The files[^]*WAIT: the files agree with the manifest; /,
    });

    appendFileSync(join(path, nameOf(3)), '.');
    renameSync(join(path, nameOf(4)), join(path, 'new.txt'));
    const { files } = await jsonOf(verify('--files', path, '--manifest', manifest, '--json'), 1);
    expect(files.evidence.map(({ label }: { label: string }) => label).sort()).toEqual(
      ['new.txt', nameOf(3), nameOf(4)].sort(),
    );
    writeFileSync(join(path, nameOf(3)), textOf(3));
    renameSync(join(path, 'new.txt'), join(path, nameOf(4)));
  });

  test('discloses one file, and rejects each changed byte and each other file', async () => {
    const shown = join(home, 'shown.json');
    await ends(run(['files', 'disclose', manifest, nameOf(5), '--out', shown]), 0);
    expect(readFileSync(shown, 'utf8')).not.toContain(nameOf(6));
    const file = join(path, nameOf(5));
    await ends(verify('--files', file, '--disclosure', shown), 0, {
      out: 'The file is among those of the disclosure.',
    });

    const bytes = Buffer.from(textOf(5));
    const changed = folderOf(
      Object.fromEntries(
        [...bytes.keys()].map((at) => {
          const other = Buffer.from(bytes);
          other[at]! ^= 1;
          return [`byte ${at}`, other];
        }),
      ),
    );
    const others = await ends(verify('--files', changed, '--disclosure', shown, '--json'), 1);
    expect(JSON.parse(others.out).files.detail).toBe(
      `${bytes.length} of the files differ from the disclosure.`,
    );
    expect((await verify('--files', join(path, nameOf(6)), '--disclosure', shown)).status).toBe(1);

    const kept = JSON.parse(readFileSync(shown, 'utf8'));
    const forged = join(home, 'forged.json');
    writeFileSync(forged, JSON.stringify({ ...kept, file: { ...kept.file, name: 'better.txt' } }));
    await ends(verify('--files', file, '--disclosure', forged), 1, { out: '', err: 'is not under the root' });
  });

  test('fails with the manifest of other words, and asks for a missing manifest', async () => {
    const other = join(home, 'other.json');
    expect((await etch('--files', path, '--manifest', other)).status).toBe(0);
    await ends(verify('--files', path, '--manifest', other), 1, {
      out: /The words commit to \d+ files under the root [0-9a-f]{64}, but the manifest has \d+ files under/,
    });
    expect((await verify('--files', path)).status).toBe(64);
  });
});

test('the short form has the format of sha256sum, which can check it', async () => {
  const path = folderOf({ 'a.txt': 'a', 'b/c d.txt': 'b' });
  const ran = await ends(etch('--files', path, '--short', '--wait'), 0, {
    err: 'Anyone who guesses the content of a file can confirm it',
  });
  const { etch: made } = JSON.parse(ran.out);
  const list = join(home, 'list');
  writeFileSync(list, made.content);
  if (spawnSync('sha256sum', ['--version']).status === 0)
    expect(
      execFileSync('sha256sum', ['-c', '--quiet', list], { cwd: path, encoding: 'utf8', stdio: 'pipe' }),
    ).toBe('');
  await ends(run(['verify', made.id, '--trust', service.url, '--files', path]), 0);
  writeFileSync(join(path, 'a.txt'), 'b');
  expect((await run(['verify', made.id, '--trust', service.url, '--files', path])).status).toBe(1);
});

test('follows a link to a file in the same folder, and skips a manifest in it', async () => {
  const path = folderOf({ 'a/b.txt': 'b' });
  symlinkSync('a/b.txt', join(path, 'link.txt'));
  const ran = await ends(etch('--files', path, '--manifest', join(path, 'm.json'), '--wait'), 0);
  const { id } = JSON.parse(ran.out).etch;
  const { files } = JSON.parse(readFileSync(join(path, 'm.json'), 'utf8'));
  expect(files.map(({ name }: { name: string }) => name)).toEqual(['a/b.txt', 'link.txt']);
  await ends(
    run(['verify', id, '--trust', service.url, '--files', path, '--manifest', join(path, 'm.json')]),
    0,
  );
});

test('a retry under the same key has the same words', async () => {
  const path = folderOf({ 'a.txt': 'a', '\u00e9.txt': 'e' });
  const again = ['--files', path, '--manifest', join(path, 'm.json'), '--idempotency-key', 'weir-1'];
  const first = await etch(...again);
  // macOS stores the name so.
  renameSync(join(path, '\u00e9.txt'), join(path, 'e\u0301.txt'));
  const second = await ends(etch(...again), 0);
  expect(JSON.parse(second.out)).toMatchObject({
    replayed: true,
    etch: { id: JSON.parse(first.out).etch.id },
  });
  writeFileSync(join(path, 'a.txt'), 'b');
  expect((await etch(...again)).err).toContain('lists other files; it was not changed');
});
