// Runs on PostgreSQL only.
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useDatabase } from '../../../../testing/database/test-database.ts';
import { type Db, prepared, UniqueViolation } from '../../src/db/db.ts';
import { openPostgres } from '../../src/db/postgres.ts';

// Requirements of a pooler in transaction mode. TEST_DATABASE_POOLER=transaction runs the whole suite through a real
// pooler (CONTRIBUTING.md).
describe('a connection whose sessions are shared', () => {
  const database = useDatabase();
  let db: Db;
  beforeAll(async () => {
    db = openPostgres({
      url: database.url!,
      poolSize: 1,
      pooler: 'transaction',
      statementTimeout: 7_000,
      parameters: { work_mem: '9MB' },
    });
    await db.query(sql`create table thing (id integer primary key)`);
  });
  afterAll(() => db.close());

  const session = sql`select name, setting, reset_val from pg_settings
    where name in ('TimeZone', 'statement_timeout', 'work_mem', 'idle_in_transaction_session_timeout') order by name collate "C"`;

  test('keeps no session settings: each transaction sets them', async () => {
    const rows = await db.query<{ name: string; setting: string; reset_val: string }>(session);
    expect(rows.map(({ name, setting }) => [name, setting])).toEqual([
      ['TimeZone', 'UTC'],
      ['idle_in_transaction_session_timeout', '8000'],
      ['statement_timeout', '7000'],
      ['work_mem', '9216'],
    ]);
    expect(rows.find(({ name }) => name === 'statement_timeout')).toMatchObject({ reset_val: '0' });
    expect(rows.find(({ name }) => name === 'work_mem')).toMatchObject({ reset_val: '4096' });
  });

  test('prepares no named statement, in a transaction or outside', async () => {
    const hot = (id: number) => prepared(sql`select ${id}::int as id`);
    expect(await db.query(hot(1))).toEqual([{ id: 1 }]);
    const left = await db.tx(
      async (tx) => {
        await tx.query(hot(2));
        return tx.query(sql`select name from pg_prepared_statements`);
      },
      { keepPlans: true },
    );
    expect(left).toEqual([]);
  });

  test('commits, rolls back, and vacuums outside transactions', async () => {
    await db.query(sql`insert into thing (id) values (1)`);
    await expect(db.query(sql`insert into thing (id) values (1)`)).rejects.toThrow(UniqueViolation);
    await expect(
      db.tx(async (tx) => {
        await tx.query(sql`insert into thing (id) values (2)`);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    await db.query(sql`vacuum thing`);
    expect(await db.tx((tx) => tx.query(sql`select id from thing`), { snapshot: true })).toEqual([{ id: 1 }]);
  });
});
