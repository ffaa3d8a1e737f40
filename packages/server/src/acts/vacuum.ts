import sql from 'sql-template-tag';
import type { Db } from '../db/db.ts';

/**
 * So long after a retraction's time it is vacuumed again and again: its transaction may have been committed later than
 * that of a newer one, and what another transaction could still see at the first time was kept for it.
 */
const AGAIN_FOR_MS = 600_000;

/**
 * What a retraction erases stays in the database's dead rows until they are vacuumed: done within minutes of a
 * retraction by any process, rather than whenever the database would come to it. `patient` is a connection on which
 * statements may take as long as they need.
 */
export function createVacuum(db: Db, patient: Db = db): () => Promise<void> {
  let cleanedAt = -Infinity;
  return async () => {
    const [row] = await db.query<{ now: string; newest: string | null }>(sql`
      select clock_timestamp() as now,
        greatest((select max(retracted_at) from etch where retracted_at is not null),
          (select max(taken_down_at) from description_takedown)) as newest`);
    const { now, newest } = row!;
    if (newest === null || Date.parse(newest) < cleanedAt - AGAIN_FOR_MS) return;
    await vacuumErased(patient);
    cleanedAt = Date.parse(now);
  };
}

export async function vacuumErased(patient: Db): Promise<void> {
  await patient.query(sql`vacuum etch`);
  await patient.query(sql`vacuum withheld`);
  await patient.query(sql`vacuum challenge`);
  await patient.query(sql`vacuum (index_cleanup on) challenge_search`);
  // Erased words are in the trigram index too, which a vacuum of few rows would pass over.
  await patient.query(sql`vacuum (index_cleanup on) etch_search`);
}
