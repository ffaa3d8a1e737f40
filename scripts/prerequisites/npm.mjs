import { accessSync, constants, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SetupError, run, say } from './run.mjs';

const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier'];

/** Tries a second time if the registry did not answer. @throws SetupError that names `what` */
export async function npm(args, { what, cwd }) {
  const [command, ...first] = npmCommand();
  const cache = temporaryCache();
  const env = { ...process.env, ...(cache ? { npm_config_cache: cache } : {}) };
  try {
    for (let attempt = 1; ; attempt++) {
      const { status, stderr } = await run(command, [...first, ...args, ...QUIET], {
        env,
        cwd,
        stdio: ['ignore', process.stderr.fd, 'pipe'],
        echo: true,
      }).catch(notFound);
      if (status === 0) return;
      if (/EUSAGE|EBADENGINE|ENOSPC|EACCES|EPERM|EROFS/.test(stderr)) {
        throw new SetupError(`${what}: npm gave up for the reason it names above.`);
      }
      if (attempt === 2) {
        throw new SetupError(
          `${what}: npm could not download what is needed, also at the second attempt (its reason stands above).\n` +
            'Check the network, the proxy (HTTPS_PROXY) and the registry (npm config get registry), then run this again.',
        );
      }
      say(`${what}: npm failed; trying once more.`);
      await sleep(3_000);
    }
  } finally {
    if (cache) rmSync(cache, { recursive: true, force: true });
  }
}

function npmCommand() {
  const running = process.env.npm_execpath;
  if (running && /npm-cli\.c?js$/.test(running) && existsSync(running)) return [process.execPath, running];
  return ['npm'];
}

function notFound(error) {
  if (error.code !== 'ENOENT') throw error;
  throw new SetupError(
    'npm was not found. It comes with Node.js: install Node.js from https://nodejs.org, or its npm package.',
  );
}

/** Returns a cache for a user without a writable home. */
function temporaryCache() {
  const usual = process.env.npm_config_cache ?? home();
  if (usual !== undefined && isWritable(join(usual, '_cacache', 'tmp'))) return undefined;
  return mkdtempSync(join(tmpdir(), 'npm-cache-'));
}

function home() {
  try {
    return join(homedir(), '.npm');
  } catch {
    return undefined;
  }
}

function isWritable(path) {
  let existing = path;
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  try {
    accessSync(existing, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
