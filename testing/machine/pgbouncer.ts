import { spawn } from 'node:child_process';
import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { ensureProgram } from '../../scripts/prerequisites/programs.mjs';
import { serverUser, temporaryFolder } from '../../scripts/server-user.mjs';
import { pgbouncerSettings } from '../patroni/settings.ts';
import { eventually } from '../wait.ts';
import { newFolder } from './folder.ts';
import { lastingPort } from './free-port.ts';

export async function startPgbouncer(databaseUrl: string): Promise<{ url: string; stop(): Promise<void> }> {
  const program = await ensureProgram('pgbouncer');
  const url = new URL(databaseUrl);
  const user = serverUser();
  const folder = newFolder('pgbouncer', temporaryFolder(user));
  const port = await lastingPort();
  const settings = join(folder, 'pgbouncer.ini');
  const users = join(folder, 'users');
  writeFileSync(settings, pgbouncerSettings(folder, { postgres: Number(url.port), pgbouncer: port }));
  writeFileSync(users, `"${url.username}" ""\n`);
  if (user) for (const path of [folder, settings, users]) chownSync(path, user.uid, user.gid);
  const child = spawn(program, [settings], { stdio: 'ignore', ...user });
  process.once('exit', () => child.kill('SIGKILL'));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  url.port = String(port);
  await eventually('PgBouncer answers', async () => {
    const client = new pg.Client({ connectionString: url.href });
    client.on('error', () => undefined);
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    );
  });
  return {
    url: url.href,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
