// Runs without a database.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../../../testing/machine/folder.ts';
import { root as ROOT } from '../../../../testing/repository.ts';

const folder = newFolder('arguments');

const PROGRAMS = [
  'packages/server/bin/serve.mjs',
  'packages/server/bin/svc-admin.mjs',
  'packages/mcp/bin/svc-mcp.mjs',
  'scripts/start.mjs',
  'scripts/devnet.mjs',
  'vectors/generate.mjs',
];
const SCRIPTS = `bench release docs write-types build-web
  bundle-server image devnet`.split(/\s+/);

function call(program: string, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, program), ...args], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, text: stdout + stderr };
}

test.each([...PROGRAMS, 'scripts/test.mjs'])('%s --help prints the usage and starts nothing', (program) => {
  const { status, text } = call(program, ['--help']);
  expect(text).toMatch(/^usage: /i);
  expect(status).toBe(0);
  expect(readdirSync(folder)).toEqual([]);
});

test.each(PROGRAMS)('%s exits with 64 for an unknown argument and starts nothing', (program) => {
  const { status, text } = call(program, ['--no-such-option']);
  expect(text).toMatch(/no-such-option|usage: /);
  expect(status).toBe(64);
  expect(readdirSync(folder)).toEqual([]);
});

test.each(['packages/server/bin/serve.mjs', 'scripts/start.mjs'])('%s exits with 64 for a word', (program) =>
  expect(call(program, ['nonsense']).status).toBe(64),
);

test.each(SCRIPTS)('scripts/%s.mjs reads its arguments as scripts/devnet.mjs does', (name) => {
  expect(readFileSync(join(ROOT, `scripts/${name}.mjs`), 'utf8')).toMatch(/\breadArguments\(/);
});
