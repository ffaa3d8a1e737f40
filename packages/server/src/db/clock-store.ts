import sql from 'sql-template-tag';
import type { Queryable } from './db.ts';

export async function readDatabaseTime(db: Queryable): Promise<number> {
  const [row] = await db.query<{ at: string }>(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::text as at`,
  );
  return Number(row!.at);
}

/** The newest time used by any process, ms since 1970. */
export async function readClockMark(db: Queryable): Promise<number | undefined> {
  const [row] = await db.query<{ at: string | null }>(sql`
    select (extract(epoch from newest) * 1000)::text as at from clock_mark`);
  return row?.at == null ? undefined : Number(row.at);
}

export async function writeClockMark(db: Queryable, now: number): Promise<void> {
  await db.query(sql`
    update clock_mark set newest = ${new Date(now).toISOString()}
    where newest is null or newest < ${new Date(now).toISOString()}::timestamptz`);
}
