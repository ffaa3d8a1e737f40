// Vacuums the tables with texts soon after an erasure, because erased text stays in dead rows until then.
import sql from 'sql-template-tag';
import type { Db } from '../db/db.ts';

/** A vacuum keeps rows that older transactions can still see. */
const AGAIN_FOR_MS = 600_000;

/** Erased text stays in dead rows until a vacuum. @param patient a connection without a statement timeout */
export function createVacuum(db: Db, patient: Db = db): () => Promise<void> {
  let cleanedAt = -Infinity;
  return async () => {
    const { now, newest } = await db.one<{ now: string; newest: string | null }>(sql`
      select clock_timestamp() as now,
        greatest((select max(retracted_at) from etch where retracted_at is not null),
          (select max(taken_down_at) from description_takedown)) as newest`);
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
  // Without `index_cleanup`, a vacuum of few rows skips the trigram index.
  await patient.query(sql`vacuum (index_cleanup on) etch_search`);
}
