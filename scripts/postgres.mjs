import { appendFileSync, chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lastingPort } from './lasting-port.mjs';
import { afterThisProcess, freezeFamily, killFamily } from './prerequisites/process-tree.mjs';
import { ensureProgram } from './prerequisites/programs.mjs';
import { SetupError, call } from './prerequisites/run.mjs';
import { readableByOthers, serverUser, temporaryFolder } from './server-user.mjs';

/** Ends a PostgreSQL and removes its folder when the input closes without a line, because the starter has ended. */
const WATCHDOG = `read -r line && exit
if pid=$(head -n 1 "$0/data/postmaster.pid"); then
  kill -QUIT "$pid"
  for wait in 1 2 3 4 5; do kill -0 "$pid" && sleep 1; done
  kill -KILL "$pid"
fi
rm -rf "$0"`;

/**
 * Loopback only, fsync on; ends with this process. Root starts it as a different user.
 * @param {{ settings?: Record<string, string | number | boolean>, standbyOf?: { url: string, dataDir: string, whileDown(work: () => unknown): Promise<void> }, port?: number }} [options]
 * `standbyOf` stops that server, copies it, starts it again and follows it until promoted
 * @throws SetupError if no PostgreSQL is found or it does not start
 */
export async function startPostgres({ settings = {}, standbyOf, port: wanted } = {}) {
  const user = serverUser();
  const folder = mkdtempSync(join(temporaryFolder(user), 'svc-pg-'));
  if (user) chownSync(folder, user.uid, user.gid);
  const dismiss = afterThisProcess(WATCHDOG, folder);
  const dataDir = join(folder, 'data');
  const log = join(folder, 'log');
  const pidFile = join(dataDir, 'postmaster.pid');
  const pid = () => Number(readFileSync(pidFile, 'utf8').split('\n', 1)[0]);
  const spawning = {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, LC_ALL: 'C', TZ: 'UTC' },
    ...user,
  };
  let binDir;
  let port;
  const control = (...args) => call(join(binDir, 'pg_ctl'), [...args, '-w', '-D', dataDir], spawning);

  async function start() {
    const own = { listen_addresses: '127.0.0.1', port, unix_socket_directories: '' };
    const all = { ...own, fsync: 'on', max_connections: 200, ...settings };
    // pg_ctl gives these to a shell.
    const options = Object.entries(all).map(([name, value]) => `-c '${name}=${value}'`);
    await control('start', '-t', '60', '-l', log, '-o', options.join(' ')).catch((error) => {
      const tail = existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n').slice(-10) : [];
      throw new SetupError([`PostgreSQL (${binDir}) did not start`, error.message, ...tail].join('\n'));
    });
  }

  /** Kills PostgreSQL and its children, like a power cut. */
  async function kill9() {
    if (!existsSync(pidFile)) return;
    await killFamily(pid());
    // PostgreSQL would not start while a zombie, or a new process, has this process id.
    rmSync(pidFile, { force: true });
  }

  async function halt() {
    if (!existsSync(pidFile)) return;
    const stopBy = (mode) => control('stop', '-m', mode, '-t', '10');
    await stopBy('fast').catch(() => stopBy('immediate').catch(kill9));
  }

  /** Runs `work` after a clean stop. */
  async function whileDown(work) {
    await halt();
    await work();
    await start();
  }

  async function stop() {
    await halt();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    dismiss();
  }

  try {
    binDir = await programs(user, folder);
    if (standbyOf) await copyOf(standbyOf, dataDir, spawning);
    else {
      const how = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale'];
      const args = ['-D', dataDir, ...how, '--no-sync', '--no-instructions'];
      await call(join(binDir, 'initdb'), args, spawning);
    }
    for (let attempt = 1; port === undefined; attempt++) {
      port = wanted ?? (await lastingPort());
      try {
        await start();
      } catch (error) {
        if (attempt === 5 || !/Address already in use/.test(error.message)) throw error;
        port = undefined;
      }
    }
  } catch (error) {
    await stop();
    if (error instanceof SetupError)
      error.message += '\nSetting TEST_DATABASE_URL to a running PostgreSQL does without it.';
    throw error;
  }

  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    /** contains `pgbench` if the system has it */
    binDir,
    dataDir,
    log,
    pid,
    kill9,
    /** Sends SIGSTOP, like a silent machine. End it with `kill9`. */
    freeze: () => void freezeFamily(pid()),
    promote: () => control('promote'),
    whileDown,
    restart: () => whileDown(() => {}),
    stop,
  };
}

async function programs(user, folder) {
  const binDir = await ensureProgram('postgres');
  if (!user || readableByOthers(join(binDir, 'postgres'))) return binDir;
  const copy = join(folder, 'programs');
  cpSync(join(binDir, '..'), copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
}

/** npm's programs lack pg_basebackup. */
async function copyOf(other, dataDir, spawning) {
  await other.whileDown(() => call('cp', ['-R', '-p', other.dataDir, dataDir], spawning));
  const source = new URL(other.url);
  source.searchParams.set('application_name', 'standby');
  appendFileSync(join(dataDir, 'postgresql.auto.conf'), `primary_conninfo = '${source.href}'\n`);
  appendFileSync(join(dataDir, 'standby.signal'), '');
}
