import type { ChallengeListItem, Etch } from '@svc/contract';
import { toTime } from '../../db/clock.ts';
import type { Db, Queryable } from '../../db/db.ts';
import type { ViewContext } from '../../etches/view.ts';
import type { Caller } from '../../identity/caller.ts';
import { readSubjects } from '../subjects.ts';
import {
  countNewFollowers,
  countNews,
  listFollowedNews,
  listOwnNews,
  type News,
  noteSeen,
  type NewsRow,
  seenUntil,
} from './inbox-store.ts';

const MOST = 100;
const FIRST_LOOK_MS = 7 * 86_400_000;

interface InboxItem {
  news: News;
  own: boolean;
  at: string;
  etch?: Etch;
  challenge?: ChallengeListItem;
  /** resolves the challenge, or the forecast in `etch` */
  resolution?: Etch;
}

interface Inbox {
  since: string;
  /** marking it as seen starts the next inbox here */
  asOf: string;
  items: InboxItem[];
  more: boolean;
  followers: number;
}

export const readInbox = (db: Db, caller: Caller, now: number, view: ViewContext): Promise<Inbox> =>
  db.tx((tx) => read(tx, caller, now, view), { snapshot: true });

export async function lastLook(db: Queryable, userId: string, now: number) {
  const lookedAt = (await seenUntil(db, userId)) ?? null;
  return { since: lookedAt ?? toTime(now - FIRST_LOOK_MS), lookedAt };
}

export const newsCounted = (db: Db, { userId }: Caller, now: number, most: number): Promise<number> =>
  countNews(db, userId, { firstLook: toTime(now - FIRST_LOOK_MS), now: toTime(now), most });

/** @param asOf of the seen inbox; a future time counts as now */
export async function seeInbox(db: Db, caller: Caller, asOf: number, now: number): Promise<void> {
  await noteSeen(db, caller.userId, toTime(Math.min(asOf, now)));
}

async function read(db: Queryable, { userId }: Caller, now: number, view: ViewContext): Promise<Inbox> {
  const { since } = await lastLook(db, userId, now);
  const asOf = toTime(now);
  const own = await listOwnNews(db, userId, { since, limit: MOST + 1 });
  const followed = await listFollowedNews(db, userId, { since, now: asOf, limit: MOST + 1 });
  const all = [...own, ...followed].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
  const rows = all.slice(0, MOST);
  return {
    since,
    asOf,
    items: await withRecords(db, rows, now, view),
    more: all.length > MOST,
    followers: await countNewFollowers(db, userId, since),
  };
}

async function withRecords(db: Queryable, rows: readonly NewsRow[], now: number, view: ViewContext) {
  const idsOf = (isWanted: (news: News) => boolean): string[] =>
    rows.filter(({ news }) => isWanted(news)).map((row) => row.record_id);
  const wanted = {
    etches: idsOf((news) => news !== 'closed'),
    challenges: idsOf((news) => news === 'closed'),
    resolutions: idsOf((news) => news === 'resolved'),
  };
  const { etches, challenges, targets } = await readSubjects(db, wanted, now, view);
  return rows.flatMap(({ news, own, at, record_id: id }): InboxItem[] => {
    const about = news === 'resolved' ? targets.get(id) : id;
    const [etch, challenge] = [etches.get(about ?? ''), challenges.get(about ?? '')];
    const resolution = news === 'resolved' ? etches.get(id) : undefined;
    const of = { news, own, at, ...(resolution && { resolution }) };
    if (challenge) return [{ ...of, challenge }];
    return etch && news !== 'closed' ? [{ ...of, etch }] : [];
  });
}
