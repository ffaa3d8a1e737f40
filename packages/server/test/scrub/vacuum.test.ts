// Runs on PostgreSQL only.
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { makeEtches } from '../../../../testing/anchoring/etches.ts';
import { useDatabase } from '../../../../testing/database/test-database.ts';
import { createVacuum, vacuumErased } from '../../src/acts/vacuum.ts';

const db = useDatabase();
const MINUTE = 60_000;
const vacuumsOf = (table: string) =>
  db.value<number>(sql`select vacuum_count from pg_stat_user_tables where relname = ${table}`);

test('vacuums every table with texts, and again while older transactions may see what was erased', async () => {
  const [etch] = await makeEtches(db, 1);
  const retractedAgo = (ms: number) =>
    db.query(sql`
      update etch set status = 'retracted', content = null, salt = null,
        retracted_at = ${new Date(Date.now() - ms).toISOString()} where id = ${etch!.id}`);
  const run = createVacuum(db);
  await run();
  expect(await vacuumsOf('etch')).toBe(0);

  await retractedAgo(11 * MINUTE);
  await run();
  for (const table of ['etch', 'withheld', 'challenge', 'challenge_search', 'etch_search'])
    expect(await vacuumsOf(table), table).toBe(1);
  await run();
  expect(await vacuumsOf('etch')).toBe(1);

  await retractedAgo(5 * MINUTE);
  await run();
  await run();
  expect(await vacuumsOf('etch')).toBe(3);

  await retractedAgo(20 * MINUTE);
  await db.query(sql`
    insert into description_takedown (target_id, target, reason, taken_down_at)
    values (${etch!.id}, 'etch', 'spam', clock_timestamp())`);
  await run();
  expect(await vacuumsOf('etch')).toBe(4);
});

test('removes one erased word from the index of a large table', async () => {
  await db.query(sql`
    insert into etch_search (etch_id, user_id, category_id, status, created_at, text)
    select gen_random_uuid(), gen_random_uuid(), 'ai', 'revealed', now(), 'xqz' || i || repeat(md5(i::text), 20)
    from generate_series(1, 5000) i`);
  await db.query(sql`delete from etch_search where text like 'xqz4999%'`);
  await vacuumErased(db);
  const plan = await db.tx(async (tx) => {
    await tx.query(sql`set local enable_seqscan = off`);
    const lines = await tx.query<Record<string, string>>(sql`
      explain (analyze, costs off, timing off, summary off) select 1 from etch_search where text like '%xqz4999%'`);
    return lines.map((line) => Object.values(line)[0]).join('\n');
  });
  expect(plan).toMatch(/Index Scan on etch_search_text \(actual rows=0/);
});
