// One process uses a data directory at a time.
import { createHash } from 'node:crypto';
import { mkdir, open, realpath, stat, unlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export class DirectoryInUse extends Error {
  override name = 'DirectoryInUse';
}

const SOCKET_PATH_LIMIT = 100;
const TAKEOVER_STALE_MS = 5_000;

/**
 * The lock is a listening socket in the directory. The kernel closes it when its process ends, so a stale lock
 * never looks live, even between containers.
 * @throws DirectoryInUse
 */
export async function lockDirectory(directory: string): Promise<{ release(): Promise<void> }> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = await socketPath(directory);
  for (let attempt = 0; attempt < 100; attempt++) {
    const takeover = await tryTakeover(`${path}.takeover`);
    if (!takeover) {
      await sleep(50);
      continue;
    }
    try {
      if (await isAlive(path)) {
        throw new DirectoryInUse(
          `${directory} is in use by another process: stop it, or set DATA_DIR to another directory`,
        );
      }
      await unlink(path).catch(ignoreMissing);
      const server = await listen(path);
      return { release: () => new Promise((done) => server.close(() => done())) };
    } finally {
      await takeover();
    }
  }
  throw new DirectoryInUse(`${directory} is being locked by another process: try again`);
}

/** Socket paths are short, so a long directory gets a derived name. */
async function socketPath(directory: string): Promise<string> {
  const path = join(directory, 'lock.sock');
  if (path.length <= SOCKET_PATH_LIMIT) return path;
  const digest = createHash('sha256')
    .update(await realpath(directory))
    .digest('hex')
    .slice(0, 24);
  return join(tmpdir(), `svc-${digest}.sock`);
}

async function tryTakeover(path: string): Promise<(() => Promise<void>) | undefined> {
  try {
    await (await open(path, 'wx', 0o600)).close();
    return () => unlink(path).catch(ignoreMissing);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const age = await stat(path).then(
      (found) => Date.now() - found.mtimeMs,
      () => 0,
    );
    if (age > TAKEOVER_STALE_MS) await unlink(path).catch(ignoreMissing);
    return undefined;
  }
}

function isAlive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => (socket.destroy(), resolve(true)));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      resolve(!['ENOENT', 'ECONNREFUSED', 'ENOTSOCK'].includes(error.code ?? '')),
    );
  });
}

function listen(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.unref();
    server.once('error', reject);
    server.listen(path, () => resolve(server));
  });
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
