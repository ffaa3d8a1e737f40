import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { startPostgres } from '../../scripts/postgres.mjs';
import { keepSecret } from '../system/secrets.ts';

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>;
export { startPostgres };
/** For tests that simulate no power failure. */
export const FORGETFUL = { fsync: 'off', full_page_writes: 'off' };

/** The server never checks the password; tests search logs for it. */
const PASSWORD = `word-${randomBytes(12).toString('hex')}`;
keepSecret('the password of the database', PASSWORD);

let shared: Promise<PostgresServer> | undefined;

export function sharedPostgres(): Promise<PostgresServer> {
  return (shared ??= startPostgres());
}

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
