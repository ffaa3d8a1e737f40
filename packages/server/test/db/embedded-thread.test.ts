import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { DatabaseUnavailable } from '../../src/db/db.ts';
import { openPglite } from '../../src/db/pglite.ts';

const WORK = sql`select count(*)::int as found from generate_series(1, 3000000) as n where n % 7 = 0`;

test('what the embedded database works on for long holds up nothing else', async () => {
  const db = await openPglite();
  try {
    let turns = 0;
    let working = true;
    const turn = (): void => {
      turns++;
      if (working) setImmediate(turn);
    };
    setImmediate(turn);
    expect(await db.query(WORK)).toEqual([{ found: 428_571 }]);
    working = false;
    // In the same thread there would be one or two.
    expect(turns).toBeGreaterThan(100);
  } finally {
    await db.close();
  }
});

test('statements of their own wait for a transaction, and never stand in it', async () => {
  const db = await openPglite();
  try {
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
  } finally {
    await db.close();
  }
});

test('bytes and failures come back as from a server', async () => {
  const db = await openPglite();
  const bytes = Buffer.from('00ff10', 'hex');
  expect(await db.query(sql`select ${bytes}::bytea as b, null::bytea as none`)).toEqual([
    { b: bytes, none: null },
  ]);
  await expect(db.query(sql`select 1 / 0`)).rejects.toMatchObject({ name: 'StatementFailed', code: '22012' });
  await db.close();
  await expect(db.query(sql`select 1`)).rejects.toThrow(DatabaseUnavailable);
});
