import { ROUTES, type Watching } from '@svc/contract';
import { feedPage, watchingPage } from '@svc/web';
import type { FastifyInstance } from 'fastify';
import { follow, listWatching, unfollow } from '../../../notify/follows/follow.ts';
import { answerFeed } from '../../routes/feed.ts';
import { prepareCards } from '../draw-cards.ts';
import { checked, filled, formOf } from '../form.ts';
import { outcomesOf } from '../outcomes.ts';
import { type PageParts, siteFor } from '../parts.ts';
import { sendProblem } from '../problems.ts';
import { sendPage } from '../send.ts';
import { callerOf, localPath } from '../session.ts';
import { seeOther } from '../see-other.ts';
import { backWithNotice } from './follow-refused.ts';

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
