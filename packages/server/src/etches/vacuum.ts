import sql from 'sql-template-tag';
import type { Db } from '../db/db.ts';

/**
 * What a retraction erases stays in the database's dead rows until they are vacuumed: done within minutes of a
 * retraction by any process, rather than whenever the database would come to it.
 */
export function createVacuum(db: Db): () => Promise<void> {
  let cleanedUpTo: string | null = null;
  return async () => {
    const [row] = await db.query<{ newest: string | null }>(
      sql`select max(retracted_at) as newest from etch where retracted_at is not null`,
    );
    const newest = row?.newest ?? null;
    if (newest === cleanedUpTo) return;
    await db.query(sql`vacuum etch`);
    await db.query(sql`vacuum etch_search`);
    cleanedUpTo = newest;
  };
}
