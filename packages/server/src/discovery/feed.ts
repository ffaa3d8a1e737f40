import { type Etch, TOPIC_IDS } from '@svc/contract';
import { toTime } from '../db/clock.ts';
import { findEtches } from '../etches/store.ts';
import { etchViews, type ViewContext } from '../etches/view.ts';
import {
  ASKED_BY_SHOWN,
  type Candidate,
  type FeedPlace,
  isPersonalized,
  listNewestShown,
  listOpenedShown,
  listOwn,
  openFeed,
  readFeed,
} from './feed-store.ts';
import { readList, type SearchDependencies } from './search-db.ts';
import { listChallenges } from '../challenges/list-store.ts';
import { challengeListItem } from '../challenges/view.ts';
import type { Db } from '../db/db.ts';

/** `next` contains times of sealed etches: encrypt it for the client. */
export const readFeedPage = (from: SearchDependencies, callerId: string, wanted: Wanted) =>
  readList(from, callerId, (dependencies) => page(dependencies, callerId, wanted));

interface Wanted {
  place: FeedPlace | undefined;
  limit: number;
}

async function page(
  { searchDb, freshness, clock, view, shows }: SearchDependencies,
  callerId: string,
  { place, limit }: Wanted,
) {
  const now = clock.now();
  await freshness(now);
  return searchDb.run(false, async (db) => {
    const from = place ?? (await openFeed(db, toTime(now)));
    const ranked = await readFeed(db, callerId, from, limit + 1);
    const shown = ranked.slice(0, limit).map(({ id }) => id);
    const rows = await findEtches(db, shown);
    shows?.({ etches: rows.filter((row) => row !== undefined) });
    const last = ranked.length > limit ? ranked[limit - 1] : undefined;
    const next: FeedPlace | undefined = last && { ...from, after: last };
    return {
      personalized: await isPersonalized(db, callerId),
      etches: await etchViews(rows, now, view),
      next,
    };
  });
}

const OF_AN_AUTHOR = 2;
const OF_A_CHALLENGE = 1;
const MARGIN = 4;
const OWN_AT_MOST = 3;

interface Most {
  openings: number;
  etches: number;
  challenges: number;
}

export const readHome = (from: SearchDependencies, callerId: string | undefined, most: Most) =>
  readList(from, callerId, (dependencies) => read(dependencies, most));

async function read(dependencies: SearchDependencies, most: Most) {
  const { searchDb, clock, view } = dependencies;
  const now = clock.now();
  const shown = await readShown(dependencies, now, most);
  const closing = await searchDb.run(false, (tx) =>
    listChallenges(tx, { status: 'open', categories: [], now, matching: ASKED_BY_SHOWN }, 'soonest', {
      offset: 0,
      limit: most.challenges * MARGIN,
    }),
  );
  const asked = new Map<string, number>();
  const challenges = closing.filter((row) => count(asked, row.creator_id) <= OF_AN_AUTHOR);
  return {
    ...shown,
    challenges: challenges.slice(0, most.challenges).map((row) => challengeListItem(row, now, view)),
  };
}

export async function readShown(
  { searchDb, freshness, view, shows }: SearchDependencies,
  now: number,
  most: Pick<Most, 'openings' | 'etches'>,
): Promise<{ openings: Etch[]; etches: Etch[] }> {
  await freshness(now);
  const [opened, newest] = await searchDb.run(false, async (tx) => {
    const take = takeFew();
    const openings = take(await listOpenedShown(tx), most.openings);
    const etches = take(await listNewestShown(tx, TOPIC_IDS, most.etches * MARGIN), most.etches);
    return [await findEtches(tx, openings), await findEtches(tx, etches)] as const;
  });
  shows?.({ etches: [...opened, ...newest].filter((row) => row !== undefined) });
  return { openings: await etchViews(opened, now, view), etches: await etchViews(newest, now, view) };
}

export async function readOwn(
  db: Db,
  userId: string,
  { since, now }: { since: string; now: number },
  view: ViewContext,
): Promise<{ next: Etch[]; opened: Etch[]; isNew: boolean }> {
  const rows = await listOwn(db, userId, { openedFrom: since, limit: OWN_AT_MOST });
  const shown = async (part: 'next' | 'opened'): Promise<Etch[]> => {
    const ids = rows.flatMap((row) => (row.part === part ? [row.id] : []));
    return etchViews(await findEtches(db, ids), now, view);
  };
  return { next: await shown('next'), opened: await shown('opened'), isNew: rows.length === 0 };
}

/** Limits per author and challenge apply across all lists. */
function takeFew(): (candidates: readonly Candidate[], most: number) => string[] {
  const ofAuthor = new Map<string, number>();
  const ofChallenge = new Map<string, number>();
  const seen = new Set<string>();
  return (candidates, most) => {
    const taken: string[] = [];
    for (const { id, user_id: author, challenge_id: challenge } of candidates) {
      if (taken.length === most) break;
      if (seen.has(id) || (ofAuthor.get(author) ?? 0) >= OF_AN_AUTHOR) continue;
      if (challenge !== null && count(ofChallenge, challenge) > OF_A_CHALLENGE) continue;
      count(ofAuthor, author);
      seen.add(id);
      taken.push(id);
    }
    return taken;
  };
}

function count(counts: Map<string, number>, key: string): number {
  const next = (counts.get(key) ?? 0) + 1;
  counts.set(key, next);
  return next;
}
