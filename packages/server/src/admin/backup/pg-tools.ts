import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { databaseUrls } from '../../db/hosts.ts';
import { AdminError, EXIT } from '../context.ts';
import { exists } from '../open.ts';

const VERSIONS = '/usr/lib/postgresql';

export interface PgTools {
  path: string;
  folder?: string;
}

/** The environment carries the password, because `ps` shows arguments. */
export async function runPgTool(
  name: 'pg_dump' | 'pg_restore',
  args: readonly string[],
  databaseUrl: string,
  tools: PgTools,
): Promise<void> {
  const program = await find(name, tools);
  const { password } = new URL(databaseUrls(databaseUrl)[0]!);
  const url = databaseUrl.replace(/^(postgres(?:ql)?:\/\/[^:@/?#]*):[^@/?#]*@/, '$1@');
  const child = spawn(program, [...args, '--no-password', `--dbname=${url}`], {
    env: {
      PATH: tools.path,
      LC_ALL: 'C',
      ...(password !== '' && { PGPASSWORD: decodeURIComponent(password) }),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2_000)));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0)
    throw new AdminError(EXIT.unavailable, `${name} failed: ${said.trim() || `status ${code}`}`);
}

async function find(name: string, { path, folder }: PgTools): Promise<string> {
  const versions = (await readdir(VERSIONS).catch(() => [])).sort((a, b) => Number(b) - Number(a));
  const folders = folder
    ? [folder]
    : [...versions.map((version) => join(VERSIONS, version, 'bin')), ...path.split(delimiter)];
  for (const one of folders) if (one !== '' && (await exists(join(one, name)))) return join(one, name);
  throw new AdminError(
    EXIT.input,
    `${name} is not found: install PostgreSQL's client programs of the server's version or newer, or give their folder with --pg-bin`,
  );
}
