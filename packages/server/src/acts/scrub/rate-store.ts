import sql from 'sql-template-tag';
import type { Db } from '../../db/db.ts';

export interface Rate {
  plain: number;
  trigram: number;
}

export async function measureRate(db: Db): Promise<Rate> {
  const rows = db.engine === 'pglite' ? 4_000 : 20_000;
  await db.query(sql`drop table if exists scrub_rate`);
  try {
    await db.query(sql`
      create table scrub_rate as select i, md5(i::text) || ' ' || repeat(md5((i * 7)::text), 4) as words
      from generate_series(1, ${rows}::integer) i`);
    await db.query(sql`create index scrub_rate_plain on scrub_rate (words)`);
    const [size] = await db.query<{ all_of_it: number; rows: number }>(sql`
      select pg_total_relation_size('scrub_rate') as all_of_it, pg_table_size('scrub_rate') as rows`);
    const plain = await took(() => db.query(sql`vacuum full scrub_rate`));
    const trigram = await took(() =>
      db.query(sql`create index scrub_rate_trigram on scrub_rate using gin (words gin_trgm_ops)`),
    );
    return { plain: size!.all_of_it / plain, trigram: size!.rows / trigram };
  } finally {
    await db.query(sql`drop table if exists scrub_rate`);
  }
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return Math.max(1, performance.now() - from);
}
