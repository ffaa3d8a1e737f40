import { readdir } from 'node:fs/promises';
import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import {
  testDatabase,
  testEngine,
  useDatabase,
  withDatabase,
} from '../../../../testing/database/test-database.ts';

describe('a database for a test', () => {
  const db = useDatabase();

  test('uses the engine of this run and is migrated', async () => {
    expect(db.engine).toBe(testEngine());
    const migrations = (await readdir(new URL('../../src/db/migrations/', import.meta.url))).filter((file) =>
      file.endsWith('.sql'),
    );
    const [found] = await db.query<{ version: number }>(
      sql`select max(version) as version from schema_migration`,
    );
    expect(found?.version).toBe(migrations.length);
  });

  test('is shared with no other test', async () => {
    await db.query(sql`create table only_here (id integer)`);
    await withDatabase(async (other) => {
      const [found] = await other.query<{ there: boolean }>(
        sql`select to_regclass('only_here') is not null as there`,
      );
      expect(found?.there).toBe(false);
    });
  });

  test('can be created without our tables', async () => {
    const empty = await testDatabase({ migrated: false });
    const rows = await empty.query(sql`select 1 from pg_tables where schemaname = 'public'`);
    await empty.close();
    expect(rows).toEqual([]);
  });

  test('runs a real engine', async () => {
    const [found] = await db.query<{ version: string }>(sql`select version() as version`);
    expect(found?.version.includes('emscripten')).toBe(testEngine() === 'pglite');
  });
});
