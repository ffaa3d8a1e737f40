import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { useDatabase } from '../../../../testing/database/test-database.ts';
import { prepared } from '../../src/db/prepared.ts';

const settings = () =>
  sql`select current_setting('plan_cache_mode') as mode, current_setting('enable_seqscan') as scans`;
const kept = { mode: 'force_generic_plan', scans: 'off' };
const anew = { mode: 'auto', scans: 'on' };

const db = useDatabase();

test('a hot statement keeps its plan, and those about it are planned anew', async () => {
  expect(await db.query(prepared(settings()))).toEqual([kept]);
  expect(await db.query(settings())).toEqual([anew]);
  expect(await db.query(prepared(settings()))).toEqual([kept]);
});

test('a transaction keeps plans where it asks to, until it ends', async () => {
  const within = await db.tx(
    async (tx) => [...(await tx.query(prepared(settings()))), ...(await tx.query(settings()))],
    { keepPlans: true },
  );
  expect(within).toEqual([kept, kept]);
  expect(await db.tx((tx) => tx.query(prepared(settings())))).toEqual([anew]);
  expect(await db.query(settings())).toEqual([anew]);
});

test('a hot statement that failed leaves nothing behind', async () => {
  const tenth = (of: number) => prepared(sql`select 10 / ${of}::integer as n`);
  await expect(db.query(tenth(0))).rejects.toMatchObject({ code: '22012' });
  expect(await db.query(settings())).toEqual([anew]);
  expect(await db.query(tenth(5))).toEqual([{ n: 2 }]);
});
