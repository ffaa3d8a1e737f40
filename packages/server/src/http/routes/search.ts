import { searchAccounts } from '../../discovery/accounts.ts';
import { searchChallenges } from '../../discovery/challenges.ts';
import type { FeedPlace } from '../../discovery/feed-store.ts';
import { readFeedPage } from '../../discovery/feed.ts';
import { searchEtches } from '../../discovery/search.ts';
import { listPage } from '../cursor.ts';
import { weakTagOf } from '../etag.ts';
import type { Operations } from '../operation.ts';
import type { Parts } from '../parts.ts';
import { counted } from '../rate-limits.ts';
import type { SearchDependencies } from '../../discovery/search-db.ts';

export const searchRoutes = ({ discovery }: Parts): Operations => ({
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
