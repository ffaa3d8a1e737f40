import { isTopicId, parseDateTime, ROUTES, type Watching } from '@svc/contract';
import { feedPage, followingPage, inboxPage, type Rank, type SiteNotice, watchingPage } from '@svc/web';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findChallenges } from '../../../challenges/store.ts';
import { badField } from '../../../platform/failure.ts';
import { follow, listFollows, listWatching, unfollow } from '../../../notify/follows/follow.ts';
import { readInbox, seeInbox } from '../../../notify/follows/inbox.ts';
import { listFollowedAccounts } from '../../../notify/follows/inbox-store.ts';
import { readOutcomes } from '../../../records/scores/resolution.ts';
import { findRank } from '../../../records/scores/score.ts';
import { checked, filled, formOf } from '../form.ts';
import { type PageParts, siteFor } from '../parts.ts';
import { orProblem, outcomesOf, scoreContext } from '../scores.ts';
import { seeOther, sendPage, wantedForm } from '../send.ts';
import { callerOf, localPath, SignedOut } from '../session.ts';
import { answerFeed } from '../../routes/search.ts';
import { prepareCards } from '../draw-cards.ts';
import { sendProblem } from '../problems.ts';
import { answerFailure } from '../../errors.ts';

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

export function mountReadingPages(pages: FastifyInstance, parts: PageParts): void {
  const { db, clock, view } = parts.facts;
  const { discovery } = parts;

  pages.get<{ Querystring: { limit?: string; cursor?: string } }>(
    '/feed',
    { schema: { querystring: ROUTES.getFeed.query } },
    async (request, reply) => {
      const caller = callerOf(request);
      const found = await answerFeed(discovery, caller.userId, request.query);
      const isFirst = request.query.cursor === undefined;
      await prepareCards(found.etches, parts);
      return sendPage(request, reply, feedPage(siteFor(parts.site, request), found, { isFirst }));
    },
  );

  pages.get('/watching', async (request, reply) => {
    const found: Watching = await listWatching(db, callerOf(request), clock.now(), view);
    await prepareCards([...found.pending, ...found.settled], parts);
    return sendPage(
      request,
      reply,
      watchingPage(siteFor(parts.site, request), found, await outcomesOf(parts, found.challenges)),
    );
  });

  void pages.register(async (buttons) => {
    buttons.setErrorHandler(backWithNotice(sendProblem(parts)));
    buttons.post('/follow', async (request, reply) => {
      const caller = callerOf(request);
      const form = formOf(request);
      const target = checked(request, 'follow', filled(form, 'target_type', 'target_id'));
      await follow({ db, clock, most: parts.limits.followsPerAccount }, caller, target);
      return seeOther(reply, localPath(form['return']));
    });

    buttons.post('/unfollow', async (request, reply) => {
      const caller = callerOf(request);
      const form = formOf(request);
      const target = checked(request, 'unfollow', filled(form, 'target_type', 'target_id'));
      await unfollow(db, caller, target);
      return seeOther(reply, localPath(form['return']));
    });
  });
}

type Answering = (
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
) => FastifyReply | Promise<FastifyReply>;

function backWithNotice(otherwise: Answering): Answering {
  return (error, request, reply) => {
    const from = formOf(request)['return'];
    if (from === undefined || wantedForm(request.headers.accept) !== 'html')
      return otherwise(error, request, reply);
    if (error instanceof SignedOut)
      return seeOther(
        reply,
        `/sign-in?return=${encodeURIComponent(withNotice(localPath(from), 'follow-signed-out'))}`,
      );
    const { code } = answerFailure(error, request, reply);
    const notice = NOTICES[code];
    if (!notice) return otherwise(error, request, reply);
    return seeOther(reply.removeHeader('Retry-After'), withNotice(localPath(from), notice));
  };
}

const NOTICES: Readonly<Record<string, SiteNotice>> = {
  conflict: 'follow-full',
  bad_request: 'follow-gone',
  forbidden: 'follow-suspended',
  service_unavailable: 'follow-later',
  rate_limited: 'follow-later',
};

function withNotice(path: string, notice: SiteNotice): string {
  const url = new URL(path, 'http://here.invalid');
  url.searchParams.set('notice', notice);
  return url.pathname + url.search;
}
