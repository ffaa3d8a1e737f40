import { setTimeout as sleep } from 'node:timers/promises';
import { toTime } from '../db/clock.ts';
import { coalesce } from '../db/coalesce.ts';
import type { Db } from '../db/db.ts';
import { revealDueEtches } from '../etches/reveal.ts';
import { Failure } from '../failure.ts';
import type { Keyring } from '../keyring.ts';
import { insertSearched, isQueued, lockSearch, readBacklog, takeQueued } from './index-store.ts';

/** Etches in one transaction: enough to spare commits, few enough that a retraction beside it hardly waits. */
const BATCH = 500;
/** A search waits so long for due reveals; then the caller is asked to come again. */
const PATIENCE_MS = 5_000;
/** New etches are found within a second anyway: a search itself indexes no more than is soon done. */
const CATCH_UP_BATCHES = 1;

/**
 * Puts queued etches among what is searched until none is left or `batches` are done. An etch leaves the queue in the
 * transaction that adds it, so a crash loses none; a second process meanwhile finds the lock taken and goes.
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
      if (!(await lockSearch(tx, wait))) return 0;
      const etches = await takeQueued(tx, BATCH);
      if (etches.length > 0) await insertSearched(tx, etches);
      return etches.length;
    });
    indexed += count;
    if (count === 0) break;
  }
  return indexed;
}

export interface Freshness {
  /** Resolves when every text whose time has come by `now` is among what is searched. @throws Failure service_unavailable */
  (now: number): Promise<void>;
}

/** Due reveals are written before a search, whether or not the scheduler runs (SPEC.md States). */
export function createFreshness(db: Db, keyring: Keyring): Freshness {
  const shared = coalesce<number, void>(
    async (nows) => {
      await freshen(db, keyring, Math.max(...nows));
      return nows.map(() => undefined);
    },
    { slots: 1, most: 1_000 },
  );
  return (now) => shared(now);
}

async function freshen(db: Db, keyring: Keyring, now: number): Promise<void> {
  const giveUp = performance.now() + PATIENCE_MS;
  for (;;) {
    const { due, queued } = await readBacklog(db, toTime(now));
    if (!due) {
      if (queued) await indexQueued(db, { batches: CATCH_UP_BATCHES, wait: true });
      return;
    }
    // What is left afterwards is being written by somebody else.
    if ((await revealDueEtches(db, keyring, now)) === 0) await sleep(20);
    if (performance.now() > giveUp) {
      throw new Failure('service_unavailable', 'many texts have just become public: try again in a moment');
    }
  }
}
