import { spawn } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { lastingPort } from './lasting-port.mjs';
import { ensurePostgres } from './prerequisites/postgres.mjs';
import { SetupError, run } from './prerequisites/run.mjs';
import { freezeTree, killTree, whenGone } from './process-tree.mjs';
import { readableByOthers, serverUser, temporaryFolder } from './server-user.mjs';

const WATCHDOG = fileURLToPath(new URL('postgres-watchdog.mjs', import.meta.url));
const START_MS = 60_000;
const STOP_MS = 10_000;

/**
 * Loopback only, fsync on; ends with this process. Root starts it as a different user.
 * @param {{ settings?: Record<string, string | number | boolean>, standbyOf?: object, port?: number }} options
 * `standbyOf` copies that server and follows it until promoted
 * @throws SetupError if no PostgreSQL is found or it does not start
 */
export async function startPostgres({ settings = {}, standbyOf, port: wanted } = {}) {
  const user = serverUser();
  const folder = mkdtempSync(join(temporaryFolder(user), 'svc-pg-'));
  if (user) chownSync(folder, user.uid, user.gid);
  const watchdog = spawn(process.execPath, [WATCHDOG, folder], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watchdog.stdin.on('error', () => {});
  watchdog.unref();
  watchdog.stdin.unref?.();
  const tell = (line) => watchdog.stdin.write(`${line}\n`);

  const dataDir = join(folder, 'data');
  const log = join(folder, 'log');
  const spawning = {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, LC_ALL: 'C', TZ: 'UTC' },
    ...(user ? { uid: user.uid, gid: user.gid } : {}),
  };
  let child;
  let port;

  async function start() {
    const socketFolder = folder.length < 80 ? `"${folder}"` : ''; // a socket's path must be short
    const all = {
      listen_addresses: '127.0.0.1',
      port,
      unix_socket_directories: socketFolder,
      fsync: 'on',
      max_connections: 200,
      ...settings,
    };
    const args = [
      '-D',
      dataDir,
      ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ];
    const file = openSync(log, 'a');
    // In its own process group, Ctrl-C ends the tests first.
    child = spawn(join(binDir, 'postgres'), args, {
      ...spawning,
      detached: true,
      stdio: ['ignore', file, file],
    });
    closeSync(file);
    child.unref();
    let failure;
    child.once('error', (error) => (failure = error.message));
    tell(`pid ${child.pid ?? 0}`);
    const ready = standbyOf ? ['ready', 'standby'] : ['ready'];
    for (const started = Date.now(); !ready.includes(stateOf(dataDir, child.pid)); await sleep(25)) {
      if (failure ?? child.exitCode ?? child.signalCode ?? Date.now() - started > START_MS) {
        const tail = existsSync(log)
          ? readFileSync(log, 'utf8').trimEnd().split('\n').slice(-10).join('\n')
          : '';
        throw new SetupError(`PostgreSQL (${binDir}) did not start${failure ? `: ${failure}` : ''}\n${tail}`);
      }
    }
  }

  async function halt() {
    const running = child;
    child = undefined;
    if (!running?.pid) return;
    for (const signal of ['SIGINT', 'SIGQUIT']) {
      running.kill(signal);
      if (await whenGone(running, STOP_MS)) return tell('pid 0');
    }
    await killTree(running);
    tell('pid 0');
  }

  async function stop() {
    await halt();
    if (existsSync(folder)) rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    if (watchdog.stdin.writable) watchdog.stdin.end('done\n');
  }

  let binDir;
  try {
    binDir = await programs(user, folder);
    await (standbyOf ? copyOf(standbyOf, binDir, dataDir, spawning) : initialise(binDir, dataDir, spawning));
    for (let attempt = 1; ; attempt++) {
      port = wanted ?? (await lastingPort());
      try {
        await start();
        break;
      } catch (error) {
        if (attempt === 5 || !/Address already in use/.test(error.message)) throw error;
        await halt();
      }
    }
  } catch (error) {
    await stop();
    throw error;
  }

  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    binDir,
    dataDir,
    log,
    /** Kills PostgreSQL and its children, like a power cut. */
    async kill9() {
      const running = child;
      child = undefined;
      if (running) await killTree(running);
      tell('pid 0');
    },
    freeze() {
      freezeTree(child);
    },
    async promote() {
      await orSay(join(binDir, 'pg_ctl'), ['promote', '-w', '-D', dataDir], spawning);
    },
    async whileDown(work) {
      await halt();
      await work();
      await start();
    },
    async restart() {
      await halt();
      await start();
    },
    stop,
  };
}

async function programs(user, folder) {
  const binDir = await ensurePostgres();
  if (!user || readableByOthers(join(binDir, 'postgres'))) return binDir;
  const installation = join(binDir, '..');
  const copy = join(folder, 'programs');
  cpSync(installation, copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
}

async function initialise(binDir, dataDir, spawning) {
  const args = [
    '-D',
    dataDir,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--no-locale',
    '--no-sync',
    '--no-instructions',
  ];
  await orSay(join(binDir, 'initdb'), args, spawning);
}

async function copyOf(other, binDir, dataDir, spawning) {
  const source = new URL(other.url);
  source.searchParams.set('application_name', 'standby');
  const copying = join(binDir, 'pg_basebackup');
  if (existsSync(copying)) {
    const args = ['-D', dataDir, '-d', source.href, '-X', 'stream', '-c', 'fast', '-R', '--no-sync'];
    return orSay(copying, args, spawning);
  }
  // npm's programs lack pg_basebackup.
  await other.whileDown(() => orSay('cp', ['-R', '-p', other.dataDir, dataDir], spawning));
  appendFileSync(join(dataDir, 'postgresql.auto.conf'), `primary_conninfo = '${source.href}'\n`);
  appendFileSync(join(dataDir, 'standby.signal'), '');
}

async function orSay(program, args, spawning) {
  const piped = ['ignore', 'pipe', 'pipe'];
  const { status, stdout, stderr } = await run(program, args, { ...spawning, stdio: piped });
  if (status === 0) return;
  throw new SetupError(
    `${program} failed:\n${stdout}${stderr}` +
      'Setting TEST_DATABASE_URL to a running PostgreSQL does without it.',
  );
}

/** Returns `ready` or `standby`. After a kill the old file may remain. */
function stateOf(dataDir, pid) {
  try {
    const lines = readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n');
    return Number(lines[0]) === pid ? lines[7]?.trim() : undefined;
  } catch {
    return undefined;
  }
}
