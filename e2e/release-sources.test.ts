// The release scripts in a copy of the sources, without packages or a build.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ends } from '../testing/clients/ends.ts';
import { newFolder } from '../testing/machine/folder.ts';
import { copyOfSources, runAlone, SCOPE } from '../testing/machine/packed.ts';
import { read } from '../testing/repository.ts';

const { version } = JSON.parse(read('package.json')) as { version: string };
/** A command in the text of the page. */
const commandOf = (begins: string) =>
  read('deploy/README.md').match(new RegExp(`\`(${begins} [^\`]+)\``))![1]!;

test('a release deletes no other files, and takes no key that could be committed or deleted', async () => {
  const folder = copyOfSources();
  const status = () =>
    execFileSync('git', ['status', '--porcelain'], { cwd: folder, encoding: 'utf8' }).trim();
  const before = status();
  const home = newFolder('home');
  // ssh-keygen makes only the folder of the user's own home, whatever HOME is.
  mkdirSync(join(home, '.ssh'));
  const makeKey = `${commandOf('ssh-keygen')} -q -N ''`;
  await ends(runAlone({ folder }, 'sh', ['-c', makeKey], { env: { HOME: home } }), 0);
  expect(status()).toBe(before);

  expect(commandOf('npm run release')).toContain('--key ~/.ssh/svc-release ');
  const key = join(home, '.ssh/svc-release');
  const rejects = (err: string, ...given: string[]) => {
    const fixed = ['--scope', SCOPE, '--repository', 'https://code.example/etch'];
    const program = ['scripts/release.mjs', ...fixed, ...given];
    return ends(runAlone({ folder }, process.execPath, program), 1, { err });
  };
  const other = newFolder('other');
  writeFileSync(join(other, 'notes'), '');
  const earlier = newFolder('earlier');
  writeFileSync(join(earlier, 'SHA256SUMS'), `${'0'.repeat(64)}  svc.mjs\n`);
  mkdirSync(join(earlier, 'staged'));
  const inOut = join(earlier, 'staged/key');
  for (const copy of [inOut, join(folder, 'release-key'), join(folder, '.env')]) cpSync(key, copy);

  await rejects('--out: ', '--key', key, '--out', '.');
  await rejects(`--out: ${other}/notes is not listed`, '--key', key, '--out', other);
  await rejects('cannot be read as a folder', '--out', join(other, 'notes'));
  await rejects(`--key: ${inOut} is in the folder --out`, '--key', inOut, '--out', earlier);
  await rejects('/release-key is in the repository', '--key', 'release-key');
  await rejects('--key: ', '--key', join(other, 'missing'));
  for (const path of [join(other, 'notes'), inOut, join(folder, 'package.json')])
    expect(existsSync(path), path).toBe(true);
  // The copy has a key that is not committed, which is checked after the paths.
  for (const accepted of [key, '.env'])
    await rejects('something is not committed', '--key', accepted, '--out', earlier);
  writeFileSync(join(earlier, 'svc.mjs.map'), '');
  await rejects(`--out: ${earlier}/svc.mjs.map is not listed`, '--out', earlier);
});

test('set-version writes the version everywhere, and the section of the changelog', async () => {
  const folder = copyOfSources();
  const setVersion = (...given: string[]) =>
    runAlone({ folder }, process.execPath, ['scripts/set-version.mjs', ...given]);
  for (const wrong of [[], ['1.0'], [version]]) await ends(setVersion(...wrong), 64, { err: 'usage: ' });
  await ends(setVersion('77.0.1'), 0, { err: `${version} -> 77.0.1` });
  const now = (path: string) => readFileSync(join(folder, path), 'utf8');
  const changed = execFileSync('git', ['grep', '-l', '77\\.0\\.1', '--', '.', ':!e2e'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };
  expect(changed.trim().split('\n').sort()).toEqual(
    [
      'CHANGELOG.md',
      'deploy/kubernetes.yaml',
      'docs/specification.md',
      'package.json',
      'package-lock.json',
      'verifiers/python/pyproject.toml',
      ...workspaces.map((path) => `${path}/package.json`),
      'packages/cli/src/main.ts',
      'packages/contract/src/openapi/document.ts',
      'packages/mcp/server.json',
      'packages/mcp/src/server.ts',
    ].sort(),
  );
  for (const path of ['package.json', ...workspaces.map((one) => `${one}/package.json`)])
    expect(now(path), path).not.toMatch(/"(?:@svc\/[a-z]+|version)": "(?!77\.0\.1")/);
  expect(now('CHANGELOG.md')).toMatch(/## Unreleased\n\n## 77\.0\.1 \(\d{4}-\d\d-\d\d\)\n\n### /);
  await ends(setVersion('77.0.2'), 1, { err: 'CHANGELOG.md: no section "## Unreleased" with changes' });
});
