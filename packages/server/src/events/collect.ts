import { toTime } from '../db/clock.ts';
import type { Db, Tx } from '../db/db.ts';
import {
  appendAnchored,
  appendClosed,
  appendQueued,
  appendResolved,
  isAnythingNew,
  keepPosition,
  lockPositions,
} from './collect-store.ts';
import type { FindResolved } from './resolved-store.ts';

/** An entry accepted at the last moment may commit later. */
const STRAGGLERS_MS = 2_000;

export type OnNewEvents = (tx: Tx, after: number, at: string) => Promise<unknown>;

/**
 * One process at a time assigns positions, in one global order, a chunk per transaction. @returns the number of
 * events
 */
export async function collectEvents(
  db: Db,
  now: number,
  { onNewEvents, findResolved }: { onNewEvents: OnNewEvents; findResolved: FindResolved },
): Promise<number> {
  const closedBy = toTime(now - STRAGGLERS_MS);
  let made = 0;
  while (await isAnythingNew(db, closedBy)) {
    const round = await db.tx(async (tx) => {
      const before = await lockPositions(tx);
      if (before === undefined) return undefined;
      let last = await appendAnchored(tx, before, toTime(now));
      last = await appendQueued(tx, last, toTime(now));
      last = await appendClosed(tx, last, toTime(now), closedBy);
      last = await appendResolved(tx, last, toTime(now), findResolved);
      await keepPosition(tx, last);
      await onNewEvents(tx, before, toTime(now));
      return last - before;
    });
    if (round === undefined) return made;
    made += round;
  }
  return made;
}
