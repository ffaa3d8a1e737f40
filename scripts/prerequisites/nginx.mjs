// The system's, else Debian's package, unpacked.
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE, withLock } from './lock.mjs';
import { run, SetupError } from './run.mjs';

const HOME = join(CACHE, 'nginx');
const UNPACKED = join(HOME, 'usr', 'sbin', 'nginx');

/** Installing the package would start a server on port 80. @throws SetupError */
export async function ensureNginx() {
  for (const program of ['nginx', '/usr/sbin/nginx', UNPACKED]) if (await works(program)) return program;
  await withLock('nginx', async () => {
    if (existsSync(UNPACKED)) return;
    const aside = mkdtempSync(join(CACHE, 'nginx-new-'));
    try {
      if (!(await done('apt-get', ['-q', 'download', 'nginx'], aside))) return;
      const found = readdirSync(aside).find((name) => name.endsWith('.deb'));
      if (found && (await done('dpkg-deb', ['-x', found, 'files'], aside)))
        renameSync(join(aside, 'files'), HOME);
    } finally {
      rmSync(aside, { recursive: true, force: true });
    }
  });
  if (await works(UNPACKED)) return UNPACKED;
  throw new SetupError(
    'This run puts processes behind nginx and found none. Install it:\n' +
      '  apt-get install nginx (Debian, Ubuntu), apk add nginx (Alpine), brew install nginx (macOS)',
  );
}

const works = (program) => done(program, ['-v'], '/');

async function done(program, args, cwd) {
  const options = { cwd, stdio: ['ignore', 'ignore', 'ignore'] };
  return (await run(program, args, options).catch(() => undefined))?.status === 0;
}
