import type { Etch } from '@svc/contract';
import { findChallenges } from '../../challenges/store.ts';
import { challengeListItem, isClosed } from '../../challenges/view.ts';
import { toTime } from '../../db/clock.ts';
import type { Db, Queryable } from '../../db/db.ts';
import { findEtches } from '../../etches/store.ts';
import { etchViews, type ViewContext } from '../../etches/view.ts';
import type { Caller } from '../../identity/caller.ts';
import { listFollowRows, listWatchedEtches } from './store.ts';

/** Limit per group; the counts cover all. */
const WATCHED_AT_MOST = 200;
/** Texts may be long. */
const AT_ONCE = 50;

export function listWatching(db: Db, caller: Caller, now: number, view: ViewContext) {
  return db.tx((tx) => readWatching(tx, caller, now, view), { snapshot: true });
}

async function readWatching(db: Queryable, caller: Caller, now: number, view: ViewContext) {
  const watched = await listWatchedEtches(db, caller.userId, toTime(now));
  const follows = await listFollowRows(db, caller.userId);
  const ids = (settled: boolean): string[] =>
    watched.filter((etch) => etch.settled === settled).map((etch) => etch.id);
  const hydrate = async (some: readonly string[]): Promise<Etch[]> => {
    const shown: Etch[] = [];
    for (let from = 0; from < some.length; from += AT_ONCE)
      shown.push(...(await etchViews(await findEtches(db, some.slice(from, from + AT_ONCE)), now, view)));
    return shown;
  };
  const [pending, settled] = [ids(false), ids(true)];
  const challengeIds = follows.filter((row) => row.target_type === 'challenge').map((row) => row.target_id);
  const challenges = (await findChallenges(db, challengeIds))
    .flatMap((row) => (row ? [row] : []))
    .sort((a, b) => (a.reveal_at < b.reveal_at ? -1 : a.reveal_at > b.reveal_at ? 1 : a.id < b.id ? -1 : 1));
  const open = challenges.filter((row) => !isClosed(row, now)).slice(0, WATCHED_AT_MOST);
  const closed = challenges.filter((row) => isClosed(row, now));
  const shown = [...closed.slice(Math.max(0, closed.length - (WATCHED_AT_MOST - open.length))), ...open];
  return {
    pending: await hydrate(pending.slice(0, WATCHED_AT_MOST)),
    settled: await hydrate(settled.slice(-WATCHED_AT_MOST)),
    challenges: shown.map((row) => challengeListItem(row, now, view)),
    counts: { pending: pending.length, settled: settled.length, challenges: challenges.length },
  };
}
