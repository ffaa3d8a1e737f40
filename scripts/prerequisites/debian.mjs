// Unpacks Debian's packages, because an installed package would start a server on port 80.
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE, withLock } from './lock.mjs';
import { run, SetupError } from './run.mjs';

/**
 * @param {string} name of the package
 * @param {{ program: string, version: string, why: string }} how its path in the package, and the argument that prints
 * its version
 * @throws SetupError
 */
export async function ensureFromDebian(name, { program, version, why }) {
  const home = join(CACHE, name);
  const unpacked = join(home, program);
  const works = (path) => done(path, [version], '/');
  for (const path of [name, join('/', program), unpacked]) if (await works(path)) return path;
  await withLock(name, async () => {
    if (existsSync(unpacked)) return;
    const aside = mkdtempSync(join(CACHE, `${name}-new-`));
    try {
      if (!(await done('apt-get', ['-q', 'download', name], aside))) return;
      const found = readdirSync(aside).find((one) => one.endsWith('.deb'));
      if (found && (await done('dpkg-deb', ['-x', found, 'files'], aside)))
        renameSync(join(aside, 'files'), home);
    } finally {
      rmSync(aside, { recursive: true, force: true });
    }
  });
  if (await works(unpacked)) return unpacked;
  throw new SetupError(
    `${why} and found none. Install it:\n  apt-get install ${name} (Debian, Ubuntu), apk add ${name} (Alpine), brew install ${name} (macOS)`,
  );
}

async function done(program, args, cwd) {
  const options = { cwd, stdio: ['ignore', 'ignore', 'ignore'] };
  return (await run(program, args, options).catch(() => undefined))?.status === 0;
}
