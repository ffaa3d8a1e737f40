// The system's, else apt.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ensurePostgres } from './postgres.mjs';
import { SetupError, say } from './run.mjs';
import { installByApt } from './sources.mjs';

const PACKAGES = { etcd: 'etcd-server', patroni: 'patroni', pgbouncer: 'pgbouncer' };

/** Patroni makes standbys with `pg_basebackup` and `pg_rewind`. @throws SetupError */
export async function ensurePatroni() {
  const programs = {};
  for (const [name, pkg] of Object.entries(PACKAGES)) {
    programs[name] = find(name) ?? (await installed(pkg, () => find(name)));
    if (programs[name] === undefined)
      throw new SetupError(
        `This run lets Patroni with etcd own the servers, behind PgBouncer, and found no \`${name}\`. Install them:\n` +
          `  apt-get install ${Object.values(PACKAGES).join(' ')} (Debian, Ubuntu)`,
      );
  }
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

async function installed(pkg, look) {
  say(`Installing ${pkg} with apt-get …`);
  await installByApt(pkg).catch(() => undefined);
  return look();
}

function find(name) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/bin', '/usr/local/bin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}
