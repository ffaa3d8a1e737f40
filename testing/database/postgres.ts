import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type PostgresServer, startPostgres } from '../../scripts/postgres.mjs';
import { keepSecret } from '../system/secrets.ts';

export type { PostgresServer };
export { startPostgres };

/** Nobody asks for it: the server trusts loopback. It is there to be found in a log. */
const PASSWORD = `word-${randomBytes(12).toString('hex')}`;
keepSecret('the password of the database', PASSWORD);

let shared: Promise<PostgresServer> | undefined;

/** The server of all files that this process runs, each of which has databases of its own there. It ends with the process. */
export function sharedPostgres(): Promise<PostgresServer> {
  return (shared ??= startPostgres());
}

/** A new database on the server; answers its connection string. */
export async function newDatabase(server: PostgresServer): Promise<string> {
  const name = `e2e_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    await client.query(`create database ${name} template template0 encoding 'UTF8' locale 'C'`);
  } finally {
    await client.end();
  }
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  url.password = PASSWORD;
  return url.href;
}
