// Runs on both databases.
import { randomUUID } from 'node:crypto';
import sql, { raw, type Sql } from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { useDatabase } from '../../../../testing/database/test-database.ts';
import { insertEtches } from '../../src/acts/create-store.ts';
import { prepared, SHORT_FORMS, type Tx } from '../../src/db/db.ts';
import { findEtches } from '../../src/etches/store.ts';
import { findRecordPage } from '../../src/records/record-store.ts';

const settings = () =>
  sql`select current_setting('plan_cache_mode') as mode, current_setting('enable_seqscan') as scans`;
const kept = { mode: 'force_generic_plan', scans: 'off' };
const anew = { mode: 'auto', scans: 'on' };

const db = useDatabase();

test('a hot statement keeps its plan; statements around it are planned again', async () => {
  expect(await db.query(prepared(settings()))).toEqual([kept]);
  expect(await db.query(settings())).toEqual([anew]);
  expect(await db.query(prepared(settings()))).toEqual([kept]);
});

test('a transaction with keepPlans keeps plans until it ends', async () => {
  const within = await db.tx(
    async (tx) => [...(await tx.query(prepared(settings()))), ...(await tx.query(settings()))],
    { keepPlans: true },
  );
  expect(within).toEqual([kept, kept]);
  expect(await db.tx((tx) => tx.query(prepared(settings())))).toEqual([anew]);
  expect(await db.query(settings())).toEqual([anew]);
});

test('a snapshot keeps plans until it ends', async () => {
  const within = await db.tx((tx) => tx.query(prepared(settings())), { snapshot: true, keepPlans: true });
  expect(within).toEqual([kept]);
  expect(await db.tx((tx) => tx.query(prepared(settings())), { snapshot: true })).toEqual([anew]);
});

test('a failed hot statement leaves no settings behind', async () => {
  const tenth = (of: number) => prepared(sql`select 10 / ${of}::integer as n`);
  await expect(db.query(tenth(0))).rejects.toMatchObject({ code: '22012' });
  expect(await db.query(settings())).toEqual([anew]);
  expect(await db.query(tenth(5))).toEqual([{ n: 2 }]);
});

describe('plans made on empty tables follow keys through indexes:', () => {
  async function planOf(ask: (tx: Tx) => Promise<unknown>): Promise<string> {
    const asked: Sql[] = [];
    const listen = (statement: Sql) => (asked.push(statement), Promise.resolve([]));
    await ask({ ...SHORT_FORMS, inTransaction: true, query: listen, last: listen, rollback: () => {} });
    const nothing = asked[0]!.values.map(() => 'null').join();
    const work = async (tx: Tx) => {
      await tx.query(raw(`prepare asked as ${asked[0]!.text}`));
      const lines = await tx.query<{ 'QUERY PLAN': string }>(raw(`explain execute asked(${nothing})`));
      await tx.query(raw('deallocate asked'));
      return lines.map((line) => line['QUERY PLAN']).join('\n');
    };
    return db.tx(work, { keepPlans: true });
  }

  test('the plan of an etch', async () => {
    const plan = await planOf((tx) => findEtches(tx, ['00000000-0000-0000-0000-000000000000']));
    expect(plan.match(/(?<=Seq Scan on )\w+/g)).toEqual(['chain_state']);
    expect(plan).toMatch(/kind = 0\) AND \(etch_id = e\.id\)/);
    expect(plan).toMatch(/kind = 1\) AND \(etch_id = e\.id\)/);
    expect(plan).not.toMatch(/Hash|Merge|Materialize|Bitmap/);
  });

  test.each([
    ['its first', {}],
    ['a later one', { after: { createdAt: '2026-01-01T00:00:00.000Z', id: randomUUID() } }],
    ['one of topics', { categories: ['science'] }],
  ])('of a page of a record, %s', async (_name, more) => {
    const plan = await planOf((tx) => findRecordPage(tx, randomUUID(), { limit: 51, ...more }));
    expect(plan).toMatch(/Index Scan using etch_user on etch e /);
    expect(plan).not.toMatch(/Sort|Hash|Merge|Materialize|Bitmap/);
  });

  test('the plan of a creation', async () => {
    const plan = await planOf((tx) => insertEtches(tx, [], [], new Map()));
    expect(plan).toMatch(/on allowance a .*\n *Index Cond: \(\(user_id = ANY/);
    expect(plan).not.toMatch(/Seq Scan|Hash|Merge|Materialize|Bitmap/);
  });
});
