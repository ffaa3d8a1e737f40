import type { Db } from '../db/db.ts';
import { insertSearched, isQueued, takeQueued } from './index-store.ts';

/** Etches per transaction: many enough to save commits, few enough that a retraction of one hardly waits. */
const BATCH = 500;

/**
 * Indexes queued etches until none is left or `batches` are done. An etch leaves the queue in the transaction that
 * indexes it, so a crash loses none. A second process takes other etches; with `wait` it returns when everything
 * queued before is indexed by any process.
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
