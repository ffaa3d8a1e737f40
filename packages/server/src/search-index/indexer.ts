import type { Db } from '../db/db.ts';
import { insertSearched, isQueued, takeQueued } from './index-store.ts';

/** More save commits, fewer delay retractions less. */
const BATCH = 500;

/**
 * An etch leaves the queue in the transaction that indexes it. With `wait`, returns when any process has indexed
 * everything queued before.
 */
export async function indexQueued(
  db: Db,
  options: { batches?: number; wait?: boolean } = {},
): Promise<number> {
  const { batches = Infinity, wait = false } = options;
  if (!(await isQueued(db))) return 0;
  let indexed = 0;
  for (let batch = 0; batch < batches; batch++) {
    const count = await db.tx(async (tx) => {
      const etches = await takeQueued(tx, BATCH, wait);
      if (etches.length > 0) await insertSearched(tx, etches);
      return etches.length;
    });
    indexed += count;
    if (count === 0) break;
  }
  return indexed;
}
