import type { Reading } from '../platform/standby/standby.ts';
import { FRESH } from './freshness.ts';
import type { SearchDb } from './search-db.ts';
import type { SearchDependencies } from './dependencies.ts';

/** Answers from the standby if the primary confirms the answer, else from the primary. */
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
      // The primary waits for due reveals.
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
  // Check and answer need one snapshot.
  return { by: (who) => checked(searchDb.by(who), reading), run, ask: run };
}
