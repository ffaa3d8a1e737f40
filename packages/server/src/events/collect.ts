import { toTime } from '../db/clock.ts';
import type { Db, Tx } from '../db/db.ts';
import {
  appendAnchored,
  appendClosed,
  appendQueued,
  isAnythingNew,
  keepPosition,
  lockPositions,
} from './collect-store.ts';

/** An entry that was let in at the last moment may be written a little later: most are told in the first round. */
const STRAGGLERS_MS = 2_000;

/** Is told, in the transaction that makes them, that events after a position are new. */
export type TellNew = (tx: Tx, after: number, at: string) => Promise<void>;

/**
 * Makes events of what rows say, in one order for everybody, and tells of them, a portion in each transaction. Any process
 * may run it: one at a time gives out positions. @returns how many events it made
 */
export async function collectEvents(db: Db, now: number, tellNew: TellNew): Promise<number> {
  const closedBy = toTime(now - STRAGGLERS_MS);
  let made = 0;
  while (await isAnythingNew(db, closedBy)) {
    const round = await db.tx(async (tx) => {
      const before = await lockPositions(tx);
      if (before === undefined) return undefined;
      let last = await appendAnchored(tx, before, toTime(now));
      last = await appendQueued(tx, last, toTime(now));
      last = await appendClosed(tx, last, toTime(now), closedBy);
      await keepPosition(tx, last);
      await tellNew(tx, before, toTime(now));
      return last - before;
    });
    // Another process is at it.
    if (round === undefined) return made;
    made += round;
  }
  return made;
}
