import { isTopicId, parseDateTime, ROUTES } from '@svc/contract';
import { feedPage, followingPage, watchingPage } from '../following.tsx';
import { inboxPage, type Rank } from '../inbox.tsx';
import type { SiteNotice } from '@svc/web/site';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findChallenges } from '../../../challenges/store.ts';
import { listFollowedAccounts, readInbox, seeInbox } from '../../../notify/follows/inbox-store.ts';
import { follow, listFollows, listWatching, unfollow } from '../../../notify/follows/store.ts';
import { badField } from '../../../platform/failure.ts';
import { readOutcomes } from '../../../records/scores/resolution.ts';
import { findRank } from '../../../records/scores/score.ts';
import { answerFailure } from '../../errors.ts';
import { type Parts, readContext, scoreContext } from '../../parts.ts';
import { answerFeed } from '../../routes/discovery.ts';
import { orProblem, outcomesOf, withCards } from '../page-data.ts';
import { checked, filled, formOf } from '../form.ts';
import { callerOf, localPath, sendProblem, SignedOut } from '../session.ts';
import { seeOther, wantedForm } from '../send.ts';
import { siteFor } from '../site.ts';

const ACCOUNTS_SHOWN = 300;
/** A rank reads all forecasts of its challenge. */
const RANKS_SHOWN = 3;

export function mountInboxPages(pages: FastifyInstance, parts: Parts): void {
  const { db, clock, view } = parts;

  pages.get<{ Querystring: { done?: string } }>('/inbox', async (request) => {
    const caller = callerOf(request);
    const inbox = await readInbox(db, caller, clock.now(), view);
    const about = (which: string) =>
      inbox.items.flatMap(({ news, challenge }) => (news === which && challenge ? [challenge.id] : []));
    const found = await findChallenges(db, [...about('closed'), ...about('resolved')]);
    const asked = found.flatMap((row) => (row?.creator_id === caller.userId ? [row] : []));
    const outcomes = await readOutcomes(db, asked, readContext(parts));
    const ranks = await findRanks(request, about('resolved').slice(0, RANKS_SHOWN));
    const seen = request.query.done === 'seen';
    return inboxPage(siteFor(parts, request), inbox, { seen, outcomes, ranks });
  });

  async function findRanks(request: FastifyRequest, ids: readonly string[]): Promise<Map<string, Rank>> {
    const { userId } = callerOf(request);
    const ranks = new Map<string, Rank>();
    for (const id of ids) {
      const found = await orProblem(findRank(scoreContext(parts, request), id, userId));
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

  pages.get('/following', async (request) => {
    const caller = callerOf(request);
    const { users, challenges, etches, categories } = await listFollows(db, caller);
    return followingPage(siteFor(parts, request), {
      accounts: await listFollowedAccounts(db, caller.userId, ACCOUNTS_SHOWN),
      topics: categories.filter(isTopicId),
      counts: { accounts: users.length, challenges: challenges.length, etches: etches.length },
    });
  });
}

export function mountReadingPages(pages: FastifyInstance, parts: Parts): void {
  const { db, clock, view, discovery } = parts;

  pages.get<{ Querystring: { limit?: string; cursor?: string } }>(
    '/feed',
    { schema: { querystring: ROUTES.getFeed.query } },
    async (request) => {
      const found = await answerFeed(discovery, callerOf(request).userId, request.query);
      const isFirst = request.query.cursor === undefined;
      const etches = await withCards(parts, found.etches);
      return feedPage(siteFor(parts, request), { ...found, etches }, { isFirst });
    },
  );

  pages.get('/watching', async (request) => {
    const found = await listWatching(db, callerOf(request), clock.now(), view);
    const settled = await withCards(parts, [...found.pending, ...found.settled]);
    const pending = settled.splice(0, found.pending.length);
    const outcomes = await outcomesOf(parts, found.challenges);
    return watchingPage(siteFor(parts, request), { ...found, pending, settled }, outcomes);
  });

  void pages.register(async (buttons) => {
    buttons.setErrorHandler(backWithNotice(sendProblem(parts)));
    for (const which of ['follow', 'unfollow'] as const)
      buttons.post(`/${which}`, async (request, reply) => {
        const caller = callerOf(request);
        const form = formOf(request);
        const fields = filled(form, 'target_type', 'target_id');
        if (which === 'unfollow') await unfollow(db, caller, checked(request, 'unfollow', fields));
        else {
          const most = parts.config.limits.followsPerAccount;
          await follow({ db, clock, most }, caller, checked(request, 'follow', fields));
        }
        return seeOther(reply, localPath(form['return']));
      });
  });
}

function backWithNotice(otherwise: ReturnType<typeof sendProblem>): typeof otherwise {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const from = formOf(request)['return'];
    if (from === undefined || wantedForm(request) !== 'html') return otherwise(error, request, reply);
    if (error instanceof SignedOut) {
      const back = withNotice(localPath(from), 'follow-signed-out');
      return seeOther(reply, `/sign-in?return=${encodeURIComponent(back)}`);
    }
    const notice = NOTICES[answerFailure(error, request, reply).code];
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
