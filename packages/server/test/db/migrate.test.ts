// Runs on PostgreSQL only.
import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rounds } from '../../../../testing/rounds.ts';
import { useDatabase } from '../../../../testing/database/test-database.ts';
import type { Db } from '../../src/db/db.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openPostgres } from '../../src/db/postgres.ts';

const TIMES = rounds(10, 40);
const database = useDatabase();
let processes: Db[];
beforeAll(async () => {
  await database.query(sql`create schema empty`);
  processes = Array.from({ length: 8 }, () =>
    openPostgres({ url: database.url!, poolSize: 1, parameters: { search_path: 'empty' } }),
  );
});
afterAll(() => Promise.all(processes.map((db) => db.close())));

test('processes that start at once on an empty database all succeed', async () => {
  for (let time = 0; time < TIMES; time++) {
    await Promise.all(processes.map((db) => migrate(db, [])));
    expect(await database.query(sql`select 1 from empty.schema_migration`)).toEqual([]);
    await database.query(sql`drop table empty.schema_migration`);
  }
});
