import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'sql-template-tag';
import { toTime } from '../db/clock.ts';
import type { Db } from '../db/db.ts';
import { Failure } from '../errors/failure.ts';
import { coalesce } from '../flow/coalesce.ts';
import { isBehind, readBacklog } from '../search-index/index-store.ts';
import { indexQueued } from '../search-index/indexer.ts';
import { NOT_BEHIND } from '../search-index/state-store.ts';

/** A search waits so long for due reveals; then the caller is asked to come again. */
const PATIENCE_MS = 5_000;
/** New etches are found within a second anyway: a search itself indexes no more than is soon done. */
const CATCH_UP_BATCHES = 1;

export interface Freshness {
  /** Resolves when every text whose time has come by `now` is among what is searched. @throws Failure service_unavailable */
  (now: number): Promise<void>;
  /** Is anything left to wait for? As a condition for the very statement that searches. */
  behind(now: number): Sql;
}

/** Where it is known already that nothing is. */
export const FRESH: Freshness = Object.assign(() => Promise.resolve(), { behind: () => NOT_BEHIND });

/** Writes the rows of etches whose time has come by `now`. @returns how many it wrote */
export type RevealDue = (now: number) => Promise<number>;

/**
 * Due reveals are written before a search, whether or not the scheduler runs
 * (docs/specification.md#states-and-transitions).
 */
export function createFreshness(db: Db, revealDue: RevealDue): Freshness {
  const shared = coalesce<number, void>(
    async (nows) => {
      await freshen(db, revealDue, Math.max(...nows));
      return nows.map(() => undefined);
    },
    { slots: 1, most: 1_000 },
  );
  return Object.assign((now: number) => shared(now), { behind: (now: number) => isBehind(toTime(now)) });
}

async function freshen(db: Db, revealDue: RevealDue, now: number): Promise<void> {
  const giveUp = performance.now() + PATIENCE_MS;
  for (;;) {
    const { due, queued } = await readBacklog(db, toTime(now));
    if (!due) {
      if (queued) await indexQueued(db, { batches: CATCH_UP_BATCHES, wait: true });
      return;
    }
    // What is left afterwards is being written by somebody else.
    if ((await revealDue(now)) === 0) await sleep(20);
    if (performance.now() > giveUp) {
      throw new Failure('service_unavailable', 'many texts have just become public: try again in a moment');
    }
  }
}
