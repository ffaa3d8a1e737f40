import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { type Db, SHORT_FORMS } from '../../packages/server/src/db/db.ts';
import { migrate } from '../../packages/server/src/db/migrate.ts';
import { openPglite } from '../../packages/server/src/db/pglite.ts';
import { openPostgres } from '../../packages/server/src/db/postgres.ts';
import type { Pooler } from '../../packages/server/src/db/sessions.ts';

declare module 'vitest' {
  interface ProvidedContext {
    pgliteDumps: { empty: string; migrated: string };
    postgres: { url: string; template: string };
  }
}

/** With `transaction`, TEST_DATABASE_URL is a PgBouncer. */
export const POOLER: Pooler = process.env['TEST_DATABASE_POOLER'] === 'transaction' ? 'transaction' : 'none';

function testEngine(): Db['engine'] {
  const engine = process.env['TEST_ENGINE'];
  if (engine === 'pglite' || engine === 'postgres') return engine;
  throw new Error(
    'no TEST_ENGINE: the first line of this test file says that it uses no database (testing/how-it-runs.ts)',
  );
}

export interface TestDatabase extends Db {
  readonly url: string | undefined;
  close(): Promise<void>;
}

export interface TestDatabaseOptions {
  migrated?: boolean;
  server?: string;
  /** of the database, as `bytea_output = 'escape'` */
  settings?: readonly string[];
}

export function testDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  return testEngine() === 'pglite' ? freshPglite(options) : freshPostgres(options);
}

export async function withDatabase<T>(
  work: (db: TestDatabase) => Promise<T>,
  options?: TestDatabaseOptions,
): Promise<T> {
  const db = await testDatabase(options);
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** @param perTest each test gets its own database, instead of one for all */
export function useDatabase(options?: TestDatabaseOptions & { perTest?: boolean }): TestDatabase {
  let opened: TestDatabase | undefined;
  (options?.perTest ? beforeEach : beforeAll)(async () => {
    opened = await testDatabase(options);
  });
  (options?.perTest ? afterEach : afterAll)(() => opened?.close());
  const db = (): TestDatabase => {
    if (!opened) throw new Error('the database opens in a hook: use it in tests and hooks only');
    return opened;
  };
  return {
    ...SHORT_FORMS,
    get engine() {
      return db().engine;
    },
    get url() {
      return db().url;
    },
    query: (statement) => db().query(statement),
    tx: (work, options) => db().tx(work, options),
    close: () => db().close(),
  };
}

async function freshPglite({ migrated = true }: TestDatabaseOptions): Promise<TestDatabase> {
  const db = await openPglite({ dumped: inject('pgliteDumps')[migrated ? 'migrated' : 'empty'] });
  return closedOnce(db, undefined, () => db.close());
}

function closedOnce(db: Db, url: string | undefined, remove: () => Promise<void>): TestDatabase {
  let closing: Promise<void> | undefined;
  return {
    ...SHORT_FORMS,
    engine: db.engine,
    url,
    query: (statement) => db.query(statement),
    tx: (work, options) => db.tx(work, options),
    close: () => (closing ??= remove()),
  };
}

async function freshPostgres({
  migrated = true,
  server,
  settings = [],
}: TestDatabaseOptions): Promise<TestDatabase> {
  const { url: serverUrl, template } =
    server === undefined ? inject('postgres') : { url: server, template: (await makeTemplate(server)).name };
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(serverUrl, `create database ${name} template ${migrated ? template : 'template0'}`);
  for (const setting of settings) await administer(serverUrl, `alter database ${name} set ${setting}`);
  const url = withDatabaseName(serverUrl, name);
  const db = openPostgres({ url, pooler: POOLER });
  return closedOnce(db, url, async () => {
    await db.close();
    await administer(serverUrl, `drop database if exists ${name} with (force)`);
  });
}

export async function makeTemplate(serverUrl: string): Promise<{ name: string; remove(): Promise<void> }> {
  const name = `test_template_${randomBytes(8).toString('hex')}`;
  await administer(serverUrl, `create database ${name} template template0 encoding 'UTF8' locale 'C'`);
  const db = openPostgres({ url: withDatabaseName(serverUrl, name), pooler: POOLER });
  try {
    await migrate(db);
  } finally {
    await db.close();
  }
  return { name, remove: () => administer(serverUrl, `drop database if exists ${name} with (force)`) };
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function withDatabaseName(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
