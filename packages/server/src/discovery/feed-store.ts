import { type Etch, TOPIC_IDS } from '@svc/contract';
import sql, { type Sql } from 'sql-template-tag';
import { listChallenges } from '../challenges/list-store.ts';
import { challengeListItem } from '../challenges/view.ts';
import { toTime } from '../db/clock.ts';
import type { Db, Queryable } from '../db/db.ts';
import { findEtches } from '../etches/store.ts';
import { etchViews, type ViewContext } from '../etches/view.ts';
import { readList, type SearchDependencies } from './search-db.ts';

/** The operator hid these accounts from feed, first page and sitemap. */
export const NOT_HIDDEN = sql`<> all(array(select id from account where hidden_for is not null))`;

export interface FeedPlace {
  /** this reading leaves later events out */
  asOf: string;
  /** oldest creation and oldest reveal in this reading */
  createdFrom: string;
  revealedFrom: string;
  after?: { score: number; id: string };
}

const CREATIONS = 5_000;
const REVEALS = 2_500;
const OF_EACH_FOLLOWED = 50;

const HOUR = 3_600_000;
/** Milliseconds (docs/feed.md). */
const FOLLOWED_AUTHOR = 18 * HOUR;
const FOLLOWED_TOPIC = 6 * HOUR;
const NO_SIGNAL = -12 * HOUR;

/** Pages do not shift while etches are created. */
async function openFeed(db: Queryable, asOf: string): Promise<FeedPlace> {
  const { created, revealed } = await db.one<{ created: string | null; revealed: string | null }>(sql`
    select (select min(created_at) from (
        select created_at from etch_search where created_at <= ${asOf} order by created_at desc limit ${CREATIONS}) c) as created,
      (select min(reveal_at) from (
        select reveal_at from etch_search where status = 'revealed' and reveal_at is not null and reveal_at <= ${asOf}
        order by reveal_at desc limit ${REVEALS}) r) as revealed`);
  return { asOf, createdFrom: created ?? asOf, revealedFrom: revealed ?? asOf };
}

export async function readFeed(
  db: Queryable,
  callerId: string,
  { asOf, createdFrom, revealedFrom, after }: FeedPlace,
  limit: number,
): Promise<{ id: string; score: number }[]> {
  const columns = sql`etch_id, user_id, category_id, status, created_at, reveal_at`;
  const followed = (type: 'user' | 'category'): Sql =>
    sql`select target_id from follow where user_id = ${callerId} and target_type = ${type}`;
  return db.query(sql`
    with friend as materialized (select target_id::uuid as user_id from (${followed('user')}) f),
    pool as (
      (select ${columns} from etch_search where created_at between ${createdFrom} and ${asOf})
      union all
      (select ${columns} from etch_search
       where status = 'revealed' and reveal_at is not null and reveal_at between ${revealedFrom} and ${asOf}
         and created_at < ${createdFrom})
      union all
      (select o.* from friend cross join lateral (
         select ${columns} from etch_search s where s.user_id = friend.user_id and s.created_at <= ${asOf}
         order by s.created_at desc, s.etch_id desc limit ${OF_EACH_FOLLOWED}) o
       where o.created_at < ${createdFrom}
         and (o.status <> 'revealed' or o.reveal_at is null or o.reveal_at not between ${revealedFrom} and ${asOf}))
    ), author as materialized (
      select a.id, a.id in (select user_id from friend) as is_followed,
        case a.kind when 'human' then a.social_verified_at is not null
                    else a.agent_domain is not null or a.operator_id is not null end
        or exists (select 1 from follow f where f.target_type = 'user' and f.target_id = a.id::text and f.user_id <> a.id) as has_signal
      from account a where a.id in (select user_id from pool) and a.hidden_for is null
    ), ranked as (
      select p.etch_id as id,
        (date_part('epoch', case when p.status = 'revealed' and p.reveal_at <= ${asOf} then p.reveal_at else p.created_at end) * 1000)::bigint
        + case when a.is_followed then ${FOLLOWED_AUTHOR}::bigint when a.has_signal then 0 else ${NO_SIGNAL}::bigint end
        + case when p.category_id in (${followed('category')}) then ${FOLLOWED_TOPIC}::bigint else 0 end as score
      from pool p join author a on a.id = p.user_id where p.status <> 'retracted'
    )
    select id, score from ranked
    ${after ? sql`where (score, id) < (${after.score}::bigint, ${after.id}::uuid)` : sql``}
    order by score desc, id desc limit ${limit}`);
}

interface Candidate {
  id: string;
  user_id: string;
  challenge_id: string | null;
}

/** All answers of a challenge open at the same time. */
const MOMENTS = 30;
const OF_EACH_MOMENT = 3;

const listNewestShown = (db: Queryable, topics: readonly string[], limit: number) =>
  db.query<Candidate>(sql`
    select m.etch_id as id, m.user_id, e.challenge_id from (
      select n.* from unnest(${topics}::text[]) as t (id) cross join lateral (
        select etch_id, user_id, created_at from etch_search
        where category_id = t.id and status = 'revealed' and user_id ${NOT_HIDDEN}
        order by created_at desc, etch_id desc limit ${limit}
      ) n order by n.created_at desc, n.etch_id desc limit ${limit}
    ) m join etch e on e.id = m.etch_id order by m.created_at desc, m.etch_id desc`);

/** Takes a few etches of each reveal time, so that a large challenge hides no other reveal. */
async function listOpenedShown(db: Queryable): Promise<Candidate[]> {
  const open = sql`status = 'revealed' and reveal_at is not null`;
  return db.query<Candidate>(sql`
    with recursive moment (at, number) as (
      (select reveal_at, 1 from etch_search where ${open} order by reveal_at desc limit 1)
      union all
      select n.reveal_at, m.number + 1 from moment m cross join lateral (
        select reveal_at from etch_search where ${open} and reveal_at < m.at order by reveal_at desc limit 1
      ) n where m.number < ${MOMENTS}
    )
    select o.etch_id as id, o.user_id, e.challenge_id from moment m cross join lateral (
      select etch_id, user_id from etch_search where ${open} and reveal_at = m.at and user_id ${NOT_HIDDEN}
      order by etch_id limit ${OF_EACH_MOMENT}
    ) o join etch e on e.id = o.etch_id order by m.at desc, o.etch_id`);
}

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
    const personalized = await db.hasRows(sql`
      select 1 from follow where user_id = ${callerId} and target_type in ('user', 'category') limit 1`);
    return { personalized, etches: await etchViews(rows, now, view), next };
  });
}

const OF_AN_AUTHOR = 2;
/** They are one entry, with its people. */
const OF_A_CHALLENGE = 3;
const MARGIN = 4;
const OWN = 2_000;
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
  const filter = { status: 'open', categories: [], now, matching: sql`creator_id ${NOT_HIDDEN}` } as const;
  const closing = await searchDb.run(false, (tx) =>
    listChallenges(tx, filter, 'soonest', { offset: 0, limit: most.challenges * MARGIN }),
  );
  const asked = new Map<string, number>();
  const challenges = closing.filter((row) => count(asked, row.creator_id) <= OF_AN_AUTHOR);
  return {
    ...shown,
    challenges: challenges.slice(0, most.challenges).map((row) => challengeListItem(row, now, view)),
  };
}

async function readShown(from: SearchDependencies, now: number, most: MostShown): Promise<Shown> {
  await from.freshness(now);
  return readIndexed(from, now, most);
}

type MostShown = Pick<Most, 'openings' | 'etches'>;

interface Shown {
  openings: Etch[];
  etches: Etch[];
}

/** Does not wait for due reveals, so the newest openings may be missing. */
export async function readIndexed(
  { searchDb, view, shows }: SearchDependencies,
  now: number,
  most: MostShown,
): Promise<Shown> {
  const [opened, newest] = await searchDb.run(false, async (tx) => {
    const take = takeFew();
    const openings = take(await listOpenedShown(tx), most.openings);
    const etches = take(await listNewestShown(tx, TOPIC_IDS, most.etches * MARGIN), most.etches);
    return [await findEtches(tx, openings), await findEtches(tx, etches)] as const;
  });
  shows?.({ etches: [...opened, ...newest].filter((row) => row !== undefined) });
  return { openings: await etchViews(opened, now, view), etches: await etchViews(newest, now, view) };
}

/** Lists the next to open, and those opened since. */
export async function readOwn(
  db: Db,
  userId: string,
  { since, now }: { since: string; now: number },
  view: ViewContext,
): Promise<{ next: Etch[]; opened: Etch[]; isNew: boolean }> {
  // `any`: the account has etches.
  const rows = await db.query<{ id: string; part: 'next' | 'opened' | 'any' }>(sql`
    with mine as materialized (
      select id, status, reveal_at from etch where user_id = ${userId} order by created_at desc, id limit ${OWN}
    )
    (select id, 'next' as part from mine where status = 'sealed' order by reveal_at, id limit ${OWN_AT_MOST})
    union all
    (select id, 'opened' from mine where status = 'revealed' and reveal_at >= ${since} order by reveal_at desc, id limit ${OWN_AT_MOST})
    union all
    (select id, 'any' from mine limit 1)`);
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
    const entries = new Set<string>();
    for (const { id, user_id: author, challenge_id: challenge } of candidates) {
      const entry = challenge ?? id;
      if (entries.size === most && !entries.has(entry)) continue;
      if (seen.has(id) || (ofAuthor.get(author) ?? 0) >= OF_AN_AUTHOR) continue;
      // One entry of a challenge on the page, in the list that takes it first.
      if (challenge !== null && !entries.has(entry) && ofChallenge.has(challenge)) continue;
      if (challenge !== null && count(ofChallenge, challenge) > OF_A_CHALLENGE) continue;
      entries.add(entry);
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
