// Programs that tests run: the system's, else Debian's.
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { CACHE, withLock } from './lock.mjs';
import { ensurePostgres } from './postgres.mjs';
import { SetupError, run, say } from './run.mjs';
import { installByApt } from './sources.mjs';

/** Packages of Debian. */
const INSTALLED = {
  'redis-server': 'redis-server',
  openssl: 'openssl',
  etcd: 'etcd-server',
  patroni: 'patroni',
  pgbouncer: 'pgbouncer',
};
/** Unpacked only: installing these packages would start a server on port 80. */
const UNPACKED = {
  nginx: { program: 'usr/sbin/nginx', version: '-v' },
  caddy: { program: 'usr/bin/caddy', version: 'version' },
};

/** @returns its path @throws SetupError */
export async function ensureProgram(name) {
  const found = UNPACKED[name] ? await unpacked(name) : await installed(INSTALLED[name], () => find(name));
  if (found !== undefined) return found;
  throw new SetupError(
    `This run needs \`${name}\` and found none. Install it: apt-get install ${INSTALLED[name] ?? name} (Debian, Ubuntu)`,
  );
}

/** Patroni makes standbys with `pg_basebackup` and `pg_rewind`. @throws SetupError */
export async function ensurePatroni() {
  const programs = {};
  for (const name of ['etcd', 'patroni', 'pgbouncer']) programs[name] = await ensureProgram(name);
  const binDir = await installed('postgresql', async () => {
    const folder = await ensurePostgres('system').catch(() => '');
    return ['pg_basebackup', 'pg_rewind'].every((name) => existsSync(join(folder, name)))
      ? folder
      : undefined;
  });
  if (binDir !== undefined) return { ...programs, binDir };
  throw new SetupError(
    'Patroni makes standbys with pg_basebackup and pg_rewind, and no PostgreSQL here has both. Install one: apt-get install postgresql',
  );
}

async function installed(pkg, look) {
  const found = await look();
  if (found !== undefined) return found;
  say(`Installing ${pkg} with apt-get …`);
  await installByApt(pkg).catch(() => undefined);
  return look();
}

function find(name) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/bin', '/usr/local/bin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

async function unpacked(name) {
  const { program, version } = UNPACKED[name];
  const home = join(CACHE, name);
  const own = join(home, program);
  const works = (path) => done(path, [version], '/');
  for (const path of [name, join('/', program), own]) if (await works(path)) return path;
  await withLock(name, async () => {
    if (existsSync(own)) return;
    const aside = mkdtempSync(join(CACHE, `${name}-new-`));
    try {
      if (!(await done('apt-get', ['-q', 'download', name], aside))) return;
      const file = readdirSync(aside).find((one) => one.endsWith('.deb'));
      if (file && (await done('dpkg-deb', ['-x', file, 'files'], aside)))
        renameSync(join(aside, 'files'), home);
    } finally {
      rmSync(aside, { recursive: true, force: true });
    }
  });
  return (await works(own)) ? own : undefined;
}

async function done(program, args, cwd) {
  const options = { cwd, stdio: ['ignore', 'ignore', 'ignore'] };
  return (await run(program, args, options).catch(() => undefined))?.status === 0;
}
