// Migrated by the service, filled by rows.mjs.
import pg from 'pg';
import { openPostgres } from '../../packages/server/dist/db/postgres.js';
import { migrate } from '../../packages/server/dist/db/migrate.js';
import { searchText } from '../../packages/server/dist/search-index/fold.js';
import { checkFold, fill } from './rows.mjs';

/** As in service/start/database.ts. */
const SEARCH_SESSIONS = { work_mem: '32MB', jit: 'off' };

export async function openFilled(serverUrl, size, options) {
  const name = `bench_${size}`;
  await once(serverUrl, `create database ${name} template template0 encoding 'UTF8' locale 'C'`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const db = openPostgres({ url: url.href });
  await migrate(db);
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const run = async (text) => (await client.query(text)).rows;
  try {
    await fill(run, size, options);
    await checkFold(run, searchText);
  } finally {
    await client.end();
  }
  const searchDb = openPostgres({
    url: url.href,
    poolSize: 4,
    statementTimeout: 60_000,
    parameters: SEARCH_SESSIONS,
  });
  return {
    url: url.href,
    db,
    searchDb,
    async close() {
      await searchDb.close();
      await db.close();
      await once(serverUrl, `drop database ${name} with (force)`);
    },
  };
}

async function once(url, text) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text);
  await client.end();
}
