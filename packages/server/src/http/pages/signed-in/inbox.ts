import { isTopicId, parseDateTime } from '@svc/contract';
import { followingPage, inboxPage, type Rank } from '@svc/web';
import type { FastifyInstance } from 'fastify';
import { findChallenges } from '../../../challenges/store.ts';
import { badField } from '../../../platform/failure.ts';
import { listFollows } from '../../../notify/follows/follow.ts';
import { readInbox, seeInbox } from '../../../notify/follows/inbox.ts';
import { listFollowedAccounts } from '../../../notify/follows/inbox-store.ts';
import { readOutcomes } from '../../../records/scores/resolution.ts';
import { findRank } from '../../../records/scores/score.ts';
import { formOf } from '../form.ts';
import { type PageParts, siteFor } from '../parts.ts';
import { orProblem, scoreContext } from '../scores.ts';
import { sendPage } from '../send.ts';
import { callerOf } from '../session.ts';
import { seeOther } from '../see-other.ts';

const ACCOUNTS_SHOWN = 300;
/** A rank reads all forecasts of its challenge. */
const RANKS_SHOWN = 3;

export function mountInboxPages(pages: FastifyInstance, parts: PageParts): void {
  const { db, clock, view } = parts.facts;

  pages.get<{ Querystring: { done?: string } }>('/inbox', async (request, reply) => {
    const caller = callerOf(request);
    const inbox = await readInbox(db, caller, clock.now(), view);
    const seen = request.query.done === 'seen';
    const about = (which: string) =>
      inbox.items.flatMap(({ news, challenge }) => (news === which && challenge ? [challenge.id] : []));
    const asked = (await findChallenges(db, [...about('closed'), ...about('resolved')])).filter(
      (row) => row?.creator_id === caller.userId,
    );
    const outcomes = await readOutcomes(
      db,
      asked.filter((row) => row !== undefined),
      scoreContext(parts),
    );
    const ranks = await findRanks(caller.userId, about('resolved').slice(0, RANKS_SHOWN));
    return sendPage(
      request,
      reply,
      inboxPage(siteFor(parts.site, request), inbox, { seen, outcomes, ranks }),
    );
  });

  async function findRanks(userId: string, ids: readonly string[]): Promise<Map<string, Rank>> {
    const ranks = new Map<string, Rank>();
    for (const id of ids) {
      const found = await orProblem(findRank(scoreContext(parts), id, userId));
      if (found && 'rank' in found) ranks.set(id, found);
    }
    return ranks;
  }

  pages.post('/inbox/seen', async (request, reply) => {
    const caller = callerOf(request);
    const asOf = parseDateTime(formOf(request)['as_of'] ?? '');
    if (asOf === null) throw badField('as_of', 'must be the time of the inbox that was seen');
    await seeInbox(db, caller, Date.parse(asOf), clock.now());
    return seeOther(reply, '/inbox?done=seen');
  });

  pages.get('/following', async (request, reply) => {
    const caller = callerOf(request);
    const follows = await listFollows(db, caller);
    const accounts = await listFollowedAccounts(db, caller.userId, ACCOUNTS_SHOWN);
    const { users, challenges, etches, categories } = follows;
    return sendPage(
      request,
      reply,
      followingPage(siteFor(parts.site, request), {
        accounts,
        topics: categories.filter(isTopicId),
        counts: { accounts: users.length, challenges: challenges.length, etches: etches.length },
      }),
    );
  });
}
