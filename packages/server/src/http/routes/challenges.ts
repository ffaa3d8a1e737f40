import { CHALLENGE_ETCH_SORTS, LIMIT_DEFAULT, parseDateTime, ROUTES } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import type { Sql } from 'sql-template-tag';
import { createChallenge } from '../../acts/open-challenge.ts';
import { listEntries } from '../../challenges/entries-store.ts';
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
import type { Clock } from '../../db/clock.ts';
import type { Db, Queryable } from '../../db/db.ts';
import { Failure } from '../../platform/failure.ts';
import { etchViews, type ViewContext } from '../../etches/view.ts';
import type { Limits } from '../../settings/config.ts';
import type { Standby } from '../../platform/standby/standby.ts';
import { makeCursor, readCursor } from '../cursor.ts';
import { operation } from '../operation.ts';
import { idOf } from '../errors.ts';

export interface ChallengeRoutes {
  db: Db;
  clock: Clock;
  limits: Limits;
  view: ViewContext;
  standby?: Standby | undefined;
}

const NO_CHALLENGE = 'there is no challenge with this id';

export function mountChallenges(api: FastifyInstance, parts: ChallengeRoutes): void {
  const { db, clock, limits, view } = parts;
  const { keyring } = view;

  operation(api, ROUTES.listChallenges, async ({ query, caller }) => {
    return answerChallenges(parts, caller?.userId, query);
  });

  operation(api, ROUTES.createChallenge, async ({ caller, body, headers, reply }) => {
    const { question, category_id, reveal_at } = body;
    const { challenge, replay } = await createChallenge(
      { db, clock, keyring, limits },
      caller,
      { question, category_id, reveal_at: parseDateTime(reveal_at)! },
      headers['idempotency-key'] as string | undefined,
    );
    if (replay) void reply.header('Idempotent-Replay', 'true');
    return { challenge: createdChallengeView(challenge, view) };
  });

  operation(api, ROUTES.getChallenge, async ({ params, query, reply }) => {
    void reply.header('Cache-Control', 'no-cache');
    return answerChallenge({ db, clock, view }, idOf(params.id, NO_CHALLENGE), query);
  });
}

type Facts = Pick<ChallengeRoutes, 'db' | 'clock' | 'view'>;

export async function answerChallenges(
  { db, clock, view, standby }: Facts & Pick<ChallengeRoutes, 'standby'>,
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
  { db, clock, view }: Facts,
  id: string,
  query: { sort?: string; limit?: string; cursor?: string },
  { standingOnly = false }: { standingOnly?: boolean } = {},
) {
  const { keyring } = view;
  const sort = knownWord(CHALLENGE_ETCH_SORTS, query.sort) ?? 'newest';
  const limit = query.limit === undefined ? LIMIT_DEFAULT : Number(query.limit);
  const list = `challenge ${id} ${sort}${standingOnly ? ' standing' : ''}`;
  const place = query.cursor === undefined ? undefined : readCursor(keyring, list, query.cursor);
  const after = place && { createdAt: String(place[0]), id: String(place[1]) };
  const [challenge, found] = await db.tx(
    async (tx) => [
      await findChallengeDetail(tx, id),
      await listEntries(tx, id, { sort, limit: limit + 1, standingOnly, ...(after && { after }) }),
    ],
    { snapshot: true },
  );
  if (!challenge) throw new Failure('not_found', NO_CHALLENGE);
  const now = clock.now();
  const etches = found.slice(0, limit);
  const last = found.length > limit ? etches.at(-1) : undefined;
  return {
    challenge: challengeDetailView(challenge, now, view),
    counts: challengeCounts(challenge, now),
    sort,
    etches: await etchViews(etches, now, view),
    page: {
      limit,
      has_more: last !== undefined,
      next_cursor: last ? makeCursor(keyring, list, [last.created_at, last.id]) : null,
    },
  };
}
