// Runs without a database.
import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DatabaseUnavailable, prepared } from '../../src/db/db.ts';
import { openPglite } from '../../src/db/pglite.ts';
import { during } from '../../../../testing/turns.ts';

const WORK = sql`select count(*)::int as found from generate_series(1, 300000) as n where n % 7 = 0`;

let db: Awaited<ReturnType<typeof openPglite>>;
beforeAll(async () => void (db = await openPglite()));
afterAll(() => db.close().catch(() => undefined));

test('long work of the embedded database does not block the event loop', async () => {
  const { made, turns } = await during(() => db.query(WORK));
  expect(made).toEqual([{ found: 42_857 }]);
  // In the same thread there would be one or two.
  expect(turns).toBeGreaterThan(100);
});

test('statements outside a transaction wait for its end and never run in it', async () => {
  await db.query(sql`create table thing (id integer)`);
  const seen: unknown[] = [];
  const transactions = [1, 2, 3].map((id) =>
    db.tx(async (tx) => {
      await tx.query(sql`insert into thing values (${id})`);
      await new Promise(setImmediate);
      if (id === 2) throw new Error('taken back');
      await tx.query(sql`insert into thing values (${id})`);
    }),
  );
  const between = db.query(sql`select count(*)::int as n from thing`).then(([row]) => seen.push(row));
  const outcomes = await Promise.allSettled([...transactions, between]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  expect(seen).toEqual([{ n: 4 }]);
  expect(await db.query(sql`select id from thing order by id`)).toHaveLength(4);
});

test('parses a marked statement once, also if it fails at first', async () => {
  await db.query(sql`create table named (id integer primary key, name text)`);
  const insert = (id: number) =>
    prepared(sql`insert into named (id, name) values (${id}, ${'a'}) returning id`);
  expect(await db.query(insert(1))).toEqual([{ id: 1 }]);
  await expect(db.query(insert(1))).rejects.toMatchObject({ name: 'UniqueViolation' });
  const again = db.tx(async (tx) => {
    await tx.query(insert(2));
    await tx.query(insert(2)).catch(() => {});
    await expect(tx.query(insert(3))).rejects.toMatchObject({ code: '25P02' });
  });
  await expect(again).rejects.toMatchObject({ code: '25P02' });
  const unheard = prepared(sql`select id from nothing`);
  await expect(db.query(unheard)).rejects.toMatchObject({ code: '42P01' });
  await db.query(sql`create table nothing (id integer)`);
  expect(await db.query(unheard)).toEqual([]);
  expect(await db.query(insert(2))).toEqual([{ id: 2 }]);
  expect(
    await db.query(sql`select array_agg(id order by id) as ids, null::text[] as none from named`),
  ).toEqual([{ ids: [1, 2], none: null }]);
  expect(await db.countRows(sql`select 1 from pg_prepared_statements where name like 'svc%'`)).toBe(2);
});

test('fails after it was closed', async () => {
  await db.close();
  await expect(db.query(sql`select 1`)).rejects.toThrow(DatabaseUnavailable);
});
