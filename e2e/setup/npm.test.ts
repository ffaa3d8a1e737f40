import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { root } from '../../testing/repository.ts';

test('npm prints to standard error, because programs read the output of `npm run release`', () => {
  const module = pathToFileURL(join(root, 'scripts/prerequisites/run.mjs')).href;
  const program = `import { npm } from '${module}'; await npm(['--version'], { what: 'npm' });`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([0, '']);
  expect(stderr).toMatch(/^\d+\.\d+/);
});
