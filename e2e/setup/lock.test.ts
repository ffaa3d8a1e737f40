import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const SCRIPTS = join(import.meta.dirname, '../../scripts');
let clone: string;

beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), 'a clone '));
  await cp(join(SCRIPTS, 'prerequisites'), join(clone, 'scripts/prerequisites'), { recursive: true });
});
afterAll(() => rm(clone, { recursive: true, force: true }));

async function appendSlowly(times: number): Promise<number | null> {
  const program = `
    import { readFileSync, writeFileSync } from 'node:fs';
    const { withLock } = await import(${JSON.stringify(pathToFileURL(join(clone, 'scripts/prerequisites/lock.mjs')).href)});
    for (let i = 0; i < ${times}; i++) await withLock('setup', async () => {
      const before = readFileSync('log', 'utf8');
      await new Promise((done) => setTimeout(done, 20));
      writeFileSync('log', before + process.pid + '\\n');
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: clone,
    stdio: 'ignore',
  });
  const [status] = (await once(child, 'exit')) as [number | null];
  return status;
}

test('concurrent setups take turns, and a killed one blocks no other', async () => {
  // A process that has certainly ended, with a known id.
  const gone = spawn(process.execPath, ['-e', '']);
  await once(gone, 'exit');
  await mkdir(join(clone, '.cache'));
  await writeFile(join(clone, '.cache/setup.lock'), JSON.stringify({ pid: gone.pid, host: hostname() }));
  await writeFile(join(clone, 'log'), '');
  expect(await Promise.all([1, 2, 3, 4].map(() => appendSlowly(5)))).toEqual([0, 0, 0, 0]);
  const lines = (await readFile(join(clone, 'log'), 'utf8')).trim().split('\n');
  expect(lines.length).toBe(20);
  expect(new Set(lines).size).toBe(4);
});
