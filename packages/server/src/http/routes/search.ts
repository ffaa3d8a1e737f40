import { LIMIT_DEFAULT, ROUTES } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { searchAccounts } from '../../discovery/accounts.ts';
import { searchChallenges } from '../../discovery/challenges.ts';
import type { SearchDependencies } from '../../discovery/search-db.ts';
import { searchEtches } from '../../discovery/search.ts';
import { counted } from '../rate-limits.ts';
import { operation } from '../operation.ts';
import type { FeedPlace } from '../../discovery/feed-store.ts';
import { readFeedPage } from '../../discovery/feed.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';
import { makeCursor, readCursor } from '../cursor.ts';
import { weakTagOf } from '../etag.ts';

export function mountSearch(api: FastifyInstance, discovery: SearchDependencies): void {
  operation(api, ROUTES.searchEtches, ({ query, caller, request, reply }) => {
    void reply.header('Cache-Control', 'no-cache');
    return searchEtches(counted(discovery, request), caller?.userId, query);
  });

  operation(api, ROUTES.searchAccounts, ({ query, caller, request }) =>
    searchAccounts(counted(discovery, request), caller?.userId, query),
  );

  operation(api, ROUTES.searchChallenges, ({ query, caller, request }) =>
    searchChallenges(counted(discovery, request), caller?.userId, query),
  );
}

export function mountFeed(api: FastifyInstance, discovery: SearchDependencies): void {
  operation(api, ROUTES.getFeed, async ({ query, caller, reply }) => {
    void reply.header('Cache-Control', 'no-cache');
    const answer = await answerFeed(discovery, caller.userId, query);
    const page = { ...answer.page, next_cursor: null };
    // The tag leaves cursors out, because each contains its time.
    void reply.header('ETag', weakTagOf(JSON.stringify({ ...answer, page })));
    return answer;
  });
}

export async function answerFeed(
  discovery: SearchDependencies,
  userId: string,
  query: { limit?: string; cursor?: string },
) {
  const { keyring } = discovery.view;
  const limit = query.limit === undefined ? LIMIT_DEFAULT : Number(query.limit);
  const list = `feed ${userId}`;
  const place = query.cursor === undefined ? undefined : placeOf(keyring, list, query.cursor);
  const { next, ...answer } = await readFeedPage(discovery, userId, { place, limit });
  return {
    ...answer,
    page: {
      limit,
      has_more: next !== undefined,
      next_cursor: next ? cursorOf(keyring, list, next) : null,
    },
  };
}

function cursorOf(
  keyring: Keyring,
  list: string,
  { asOf, createdFrom, revealedFrom, after }: FeedPlace,
): string {
  return makeCursor(keyring, list, [asOf, createdFrom, revealedFrom, after!.score, after!.id]);
}

function placeOf(keyring: Keyring, list: string, cursor: string): FeedPlace {
  const [asOf, createdFrom, revealedFrom, score, id] = readCursor(keyring, list, cursor);
  return {
    asOf: String(asOf),
    createdFrom: String(createdFrom),
    revealedFrom: String(revealedFrom),
    after: { score: Number(score), id: String(id) },
  };
}
