import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'sql-template-tag';
import { toTime } from '../db/clock.ts';
import type { Db } from '../db/db.ts';
import { Failure } from '../platform/failure.ts';
import { coalesce } from '../platform/flow/coalesce.ts';
import { isBehind, readBacklog } from '../search-index/index-store.ts';
import { indexQueued } from '../search-index/indexer.ts';
import { NOT_BEHIND } from '../search-index/state-store.ts';

/** A request waits at most this long for due reveals, then fails with 503. */
const PATIENCE_MS = 5_000;
/** The indexer writes the rest within a second. */
const CATCH_UP_BATCHES = 1;

export interface Freshness {
  /** Waits until every text due by `now` can be found. @throws Failure service_unavailable */
  (now: number): Promise<void>;
  behind(now: number): Sql;
}

export const FRESH: Freshness = Object.assign(() => Promise.resolve(), { behind: () => NOT_BEHIND });

export type RevealDue = (now: number) => Promise<number>;

/** Works without the scheduler (docs/specification.md#states-and-transitions). */
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
    // A different process writes the rest.
    if ((await revealDue(now)) === 0) await sleep(20);
    if (performance.now() > giveUp) {
      throw new Failure('service_unavailable', 'many texts have just become public: try again in a moment');
    }
  }
}
