import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ensurePostgres } from './postgres.mjs';
import { SetupError, say } from './run.mjs';
import { installByApt } from './sources.mjs';

const PACKAGES = { etcd: 'etcd-server', patroni: 'patroni', pgbouncer: 'pgbouncer' };

/** Patroni makes standbys with `pg_basebackup` and `pg_rewind`. */
export async function ensurePatroni() {
  const programs = {};
  for (const name of Object.keys(PACKAGES)) programs[name] = await ensureProgram(name);
  const whole = (folder) =>
    existsSync(join(folder, 'pg_basebackup')) && existsSync(join(folder, 'pg_rewind')) ? folder : undefined;
  const system = async () => whole(await ensurePostgres('system').catch(() => ''));
  const binDir = (await system()) ?? (await installed('postgresql', system));
  if (binDir === undefined)
    throw new SetupError(
      'Patroni makes standbys with pg_basebackup and pg_rewind, and no PostgreSQL here has both. Install one: apt-get install postgresql',
    );
  return { ...programs, binDir };
}

export async function ensureProgram(name) {
  const program = find(name) ?? (await installed(PACKAGES[name], () => find(name)));
  if (program !== undefined) return program;
  throw new SetupError(
    `This run needs \`${name}\` and found none. Install it: apt-get install ${PACKAGES[name]} (Debian, Ubuntu)`,
  );
}

async function installed(pkg, look) {
  say(`Installing ${pkg} with apt-get …`);
  await installByApt(pkg).catch(() => undefined);
  return look();
}

function find(name) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/bin', '/usr/local/bin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}
