import { TOPIC_IDS } from '@svc/contract';
import { listChallenges } from '../challenges/list-store.ts';
import { challengeListItem } from '../challenges/view.ts';
import type { Db } from '../db/db.ts';
import { findEtches } from '../etches/store.ts';
import { etchViews } from '../etches/view.ts';
import { ASKED_BY_SHOWN, listNewestShown } from './feed-store.ts';
import type { SearchDependencies } from './search.ts';

/** What stands on the first page: the newest public texts, and the questions that close next. Nothing of whom the operator keeps out. */
export async function readHome(
  { searchDb, freshness, clock, view }: SearchDependencies,
  db: Db,
  most: { etches: number; challenges: number },
) {
  const now = clock.now();
  await freshness(now);
  const rows = await searchDb.run(false, async (tx) =>
    findEtches(tx, await listNewestShown(tx, TOPIC_IDS, most.etches)),
  );
  const challenges = await listChallenges(
    db,
    { status: 'open', categories: [], now, matching: ASKED_BY_SHOWN },
    'soonest',
    { offset: 0, limit: most.challenges },
  );
  return {
    etches: await etchViews(rows, now, view),
    challenges: challenges.map((row) => challengeListItem(row, now, view)),
  };
}
