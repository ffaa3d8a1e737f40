// Runs in the soak only.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { type PostgresServer, startPostgres } from '../../scripts/postgres.mjs';

const MODULE = pathToFileURL(join(import.meta.dirname, '../../scripts/postgres.mjs')).href;

async function ask(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {}); // the server is killed while connections are open
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // A zombie: the process ended, but its adoptive parent has not collected it.
  return !(existsSync(`/proc/${pid}/stat`) && / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')));
}

const postmaster = (dataDir: string): number =>
  Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);

describe('a PostgreSQL for tests', () => {
  let server: PostgresServer | undefined;
  afterEach(() => server?.stop());

  test('keeps committed data when it is killed, and is deleted when it is stopped', async () => {
    server = await startPostgres({ settings: { max_connections: 30 } });
    expect(await ask(server.url, 'show max_connections')).toEqual([{ max_connections: '30' }]);
    expect(await ask(server.url, 'show fsync')).toEqual([{ fsync: 'on' }]);
    await ask(server.url, 'create table kept (n integer)');
    for (let round = 1; round <= 3; round++) {
      await ask(server.url, `insert into kept values (${round})`);
      const killed = postmaster(server.dataDir);
      await server.kill9();
      expect(isAlive(killed)).toBe(false);
      await expect(ask(server.url, 'select 1')).rejects.toThrow(/ECONNREFUSED/);
      await server.restart();
      expect(await ask(server.url, 'select count(*)::integer as n from kept')).toEqual([{ n: round }]);
    }
    const pid = postmaster(server.dataDir);
    await server.stop();
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(server.dataDir)).toBe(false);
  });

  test('ends with the process that started it, even if that is killed', async () => {
    const program = `
      const { startPostgres } = await import(${JSON.stringify(MODULE)});
      console.log((await startPostgres()).dataDir);
      setInterval(() => {}, 1000);`;
    const starter = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(starter.stdout, 'data')) as [Buffer];
    const dataDir = line.toString().trim();
    const pid = postmaster(dataDir);
    expect(isAlive(pid)).toBe(true);
    starter.kill('SIGKILL');
    while (isAlive(pid) || existsSync(dataDir)) await sleep(50); // the test's time limit is the limit
  });
});
