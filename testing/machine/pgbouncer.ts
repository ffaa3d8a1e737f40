import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { ensureProgram } from '../../scripts/prerequisites/programs.mjs';
import { serverUser, temporaryFolder } from '../../scripts/server-user.mjs';
import { pgbouncerSettings } from '../patroni/settings.ts';
import { newFolder } from './folder.ts';
import { lastingPort } from './free-port.ts';
import { startProgram } from './program.ts';

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
  url.port = String(port);
  const answers = () => {
    const client = new pg.Client({ connectionString: url.href });
    client.on('error', () => undefined);
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    );
  };
  // PgBouncer waits for its clients on SIGTERM.
  const { stop } = await startProgram(program, [settings], answers, { ...user, signal: 'SIGKILL' });
  return { url: url.href, stop };
}
