// The release scripts in a copy of the sources, without packages or a build.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ends } from '../testing/clients/ends.ts';
import { copyOfSources, runAlone } from '../testing/machine/packed.ts';
import { read } from '../testing/repository.ts';

const { version } = JSON.parse(read('package.json')) as { version: string };
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
