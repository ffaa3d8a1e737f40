import { CHALLENGE_ETCH_SORTS, parseDateTime } from '@svc/contract';
import type { Sql } from 'sql-template-tag';
import { searchAccounts } from '../../discovery/account-store.ts';
import { searchChallenges } from '../../discovery/challenge-store.ts';
import { type FeedPlace, readFeedPage } from '../../discovery/feed-store.ts';
import { searchEtches } from '../../discovery/search.ts';
import { listPage } from '../cursor.ts';
import { weakTagOf } from '../representation.ts';
import type { Operations } from '../operation.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { counted } from '../rate-limits.ts';
import type { SearchDependencies } from '../../discovery/search-db.ts';
import { createChallenge } from '../../acts/challenge-store.ts';
import {
  knownWord,
  listEntries,
  type PageOfChallenges,
  pageOfChallenges,
  readChallengeQuery,
} from '../../challenges/list-store.ts';
import { findChallengeDetail } from '../../challenges/store.ts';
import {
  challengeCounts,
  challengeDetailView,
  challengeListItem,
  createdChallengeView,
} from '../../challenges/view.ts';
import type { Queryable } from '../../db/db.ts';
import { etchViews } from '../../etches/view.ts';
import { Failure } from '../../platform/failure.ts';
import { idOf } from '../errors.ts';

export const searchRoutes = ({ discovery }: HttpDependencies): Operations => ({
  searchEtches: ({ query, caller, request }) =>
    searchEtches(counted(discovery, request), caller?.userId, query),

  searchAccounts: ({ query, caller, request }) =>
    searchAccounts(counted(discovery, request), caller?.userId, query),

  searchChallenges: ({ query, caller, request }) =>
    searchChallenges(counted(discovery, request), caller?.userId, query),

  async getFeed({ query, caller, reply }) {
    const answer = await answerFeed(discovery, caller.userId, query);
    const page = { ...answer.page, next_cursor: null };
    // The tag leaves cursors out, because each contains its time.
    void reply.header('ETag', weakTagOf(JSON.stringify({ ...answer, page })));
    return answer;
  },
});

export async function answerFeed(
  discovery: SearchDependencies,
  userId: string,
  query: { limit?: string; cursor?: string },
) {
  const { limit, after, page } = listPage(discovery.view.keyring, `feed ${userId}`, query);
  const { next, ...answer } = await readFeedPage(discovery, userId, {
    place: after && placeOf(after),
    limit,
  });
  return {
    ...answer,
    page: page(next && [next.asOf, next.createdFrom, next.revealedFrom, next.after!.score, next.after!.id]),
  };
}

const placeOf = ([asOf, createdFrom, revealedFrom, score, id]: readonly (string | number)[]): FeedPlace => ({
  asOf: String(asOf),
  createdFrom: String(createdFrom),
  revealedFrom: String(revealedFrom),
  after: { score: Number(score), id: String(id) },
});

const NO_CHALLENGE = 'there is no challenge with this id';

export const challengeRoutes = (deps: HttpDependencies): Operations => ({
  listChallenges: ({ query, caller }) => answerChallenges(deps, caller?.userId, query),

  async createChallenge({ caller, body, headers, reply }) {
    const { db, clock, keyring, config, view } = deps;
    const { question, category_id, reveal_at } = body;
    const { challenge, replay } = await createChallenge(
      { db, clock, keyring, limits: config.limits },
      caller,
      { question, category_id, reveal_at: parseDateTime(reveal_at)! },
      headers['idempotency-key'] as string | undefined,
    );
    if (replay) void reply.header('Idempotent-Replay', 'true');
    return { challenge: createdChallengeView(challenge, view) };
  },

  getChallenge: ({ params, query }) => answerChallenge(deps, idOf(params.id, NO_CHALLENGE), query),
});

export async function answerChallenges(
  { db, clock, view, standby }: HttpDependencies,
  callerId: string | undefined,
  query: { status?: string; sort?: string; category?: string; page?: string },
  matching?: Sql,
) {
  const { page: number, ...asked } = readChallengeQuery(query);
  const now = clock.now();
  const list = (tx: Queryable): Promise<PageOfChallenges> =>
    pageOfChallenges(tx, { ...asked, now, ...(matching && { matching }) }, asked.sort, number);
  const here = (): Promise<PageOfChallenges> => db.tx(list, { snapshot: true });
  const { challenges, page } = await (standby?.read(callerId, (there) => there.tx(list), here) ?? here());
  return { query: asked, challenges: challenges.map((row) => challengeListItem(row, now, view)), page };
}

export async function answerChallenge(
  { db, clock, view }: HttpDependencies,
  id: string,
  query: { sort?: string; limit?: string; cursor?: string },
  { standingOnly = false }: { standingOnly?: boolean } = {},
) {
  const sort = knownWord(CHALLENGE_ETCH_SORTS, query.sort) ?? 'newest';
  const list = `challenge ${id} ${sort}${standingOnly ? ' standing' : ''}`;
  const { limit, after, cut } = listPage(view.keyring, list, query);
  const place = after && { after: { createdAt: String(after[0]), id: String(after[1]) } };
  const [challenge, found] = await db.tx(
    async (tx) => [
      await findChallengeDetail(tx, id),
      await listEntries(tx, id, { sort, limit: limit + 1, standingOnly, ...place }),
    ],
    { snapshot: true },
  );
  if (!challenge) throw new Failure('not_found', NO_CHALLENGE);
  const now = clock.now();
  const { rows, page } = cut(found, (last) => [last.created_at, last.id]);
  return {
    challenge: challengeDetailView(challenge, now, view),
    counts: challengeCounts(challenge, now),
    sort,
    etches: await etchViews(rows, now, view),
    page,
  };
}
