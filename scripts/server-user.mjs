import { constants, readFileSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { SetupError } from './prerequisites/run.mjs';

/** Some servers refuse root. */
export function serverUser() {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const wanted of ['postgres', 'nobody']) {
    const found = users.find(([name]) => name === wanted);
    if (found) return { uid: Number(found[2]), gid: Number(found[3]) };
  }
  throw new SetupError(
    'PostgreSQL refuses to run as root, and there is neither a user postgres nor nobody to run it as.',
  );
}

export function temporaryFolder(user) {
  const own = tmpdir();
  if (!user || readableByOthers(own)) return own;
  const shared = ['/tmp', '/var/tmp'].find(readableByOthers);
  if (shared) return shared;
  throw new SetupError(`${own} is closed to other users: set TMPDIR to a folder that is open.`);
}

export function readableByOthers(path) {
  try {
    for (let at = realpathSync(path); ; at = dirname(at)) {
      if (!(statSync(at).mode & constants.S_IXOTH)) return false;
      if (at === dirname(at)) return true;
    }
  } catch {
    return false;
  }
}
