import { CHALLENGE_ETCH_SORTS, parseDateTime } from '@svc/contract';
import type { Sql } from 'sql-template-tag';
import { createChallenge } from '../../acts/open-challenge.ts';
import { listEntries } from '../../challenges/list-store.ts';
import {
  knownWord,
  type PageOfChallenges,
  pageOfChallenges,
  readChallengeQuery,
} from '../../challenges/list.ts';
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
import { listPage } from '../cursor.ts';
import { idOf } from '../errors.ts';
import type { Operations } from '../operation.ts';
import type { Parts } from '../parts.ts';

const NO_CHALLENGE = 'there is no challenge with this id';

export const challengeRoutes = (parts: Parts): Operations => ({
  listChallenges: ({ query, caller }) => answerChallenges(parts, caller?.userId, query),

  async createChallenge({ caller, body, headers, reply }) {
    const { db, clock, keyring, config, view } = parts;
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

  getChallenge: ({ params, query }) => answerChallenge(parts, idOf(params.id, NO_CHALLENGE), query),
});

export async function answerChallenges(
  { db, clock, view, standby }: Parts,
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
  { db, clock, view }: Parts,
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
