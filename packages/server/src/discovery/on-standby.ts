import type { Reading } from '../standby/standby.ts';
import { FRESH } from './freshness.ts';
import type { SearchDb } from './search-db.ts';
import type { SearchDependencies } from './dependencies.ts';

/** Has a list read on a standby where there is one and its answer holds, else on the primary. */
export function readList<T>(
  from: SearchDependencies,
  callerId: string | undefined,
  list: (from: SearchDependencies) => Promise<T>,
): Promise<T> {
  const { standby, ...here } = from;
  if (!standby) return list(here);
  const there = (reading: Reading): Promise<T> =>
    list({
      ...here,
      searchDb: checked(standby.searchDb, reading),
      // What is due is waited for on the primary; a new etch as long as an answer may be old.
      freshness: FRESH,
      shows: (hits) => reading.shows(hits),
    });
  return standby.reads.read(callerId, there, () => list(here));
}

function checked(searchDb: SearchDb, reading: Reading): SearchDb {
  const run: SearchDb['run'] = (heavy, work) =>
    searchDb.run(heavy, async (tx) => {
      await reading.check(tx);
      return work(tx);
    });
  // What is checked is of the same moment as the answer.
  return { by: (who) => checked(searchDb.by(who), reading), run, ask: run };
}
