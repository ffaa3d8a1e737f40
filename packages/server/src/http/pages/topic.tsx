import { type Category, type NumberedPage, isTopicId, ROUTES, TOPIC_LABELS } from '@svc/contract';
import { countText, withQuery } from '@svc/web/format';
import { narrowPage } from '@svc/web/layout';
import { EtchList } from '@svc/web/parts/etch-card';
import { FollowButton, type Following } from '@svc/web/parts/follow-button';
import { NumberedPager, TopicLinks } from '@svc/web/parts/lists';
import { say } from '@svc/web/parts/prose';
import type { Page, Site } from '@svc/web/site';
import type { ListOutcomes, ShownEtch } from '@svc/web/etch-text';
import type { FastifyInstance } from 'fastify';
import { searchEtches } from '../../discovery/search.ts';
import { Failure } from '../../platform/failure.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { counted } from '../rate-limits.ts';
import { outcomesOfAnswered, withCards } from './page-data.ts';
import { wantsJson } from './send.ts';
import { followingOf, takeAnonymous } from './session.ts';
import { siteFor } from './site.ts';

export function mountTopicPage(app: FastifyInstance, deps: HttpDependencies): void {
  const { discovery } = deps;
  const querystring = ROUTES.searchEtches.query;

  app.get<{ Params: { id: string }; Querystring: { page?: string } }>(
    '/topics/:id',
    { schema: { querystring } },
    async (request) => {
      const { id } = request.params;
      if (!isTopicId(id)) throw new Failure('not_found', 'there is no topic with this id');
      await takeAnonymous(deps, request);
      const { page } = request.query;
      const asked = { category: id, ...(page && { page }) };
      const found = await searchEtches(counted(discovery, request), request.session?.caller.userId, asked);
      if (wantsJson(request)) return found;
      const etches = await withCards(deps, found.etches, { showTopic: false });
      const outcomes = await outcomesOfAnswered(deps, etches);
      const category = { id, label: TOPIC_LABELS[id] };
      const following = await followingOf(deps, request, 'category', id);
      return topicPage(siteFor(deps, request), { ...found, category, etches, outcomes }, following);
    },
  );
}

interface TopicData {
  category: Category;
  etches: readonly ShownEtch[];
  outcomes?: ListOutcomes | undefined;
  page: NumberedPage;
}

export function topicPage(
  site: Site,
  { category, etches, outcomes, page }: TopicData,
  following?: Following,
): Page {
  const { id, label } = category;
  const here = `/topics/${id}`;
  return narrowPage(
    site,
    {
      title: label,
      top: 'Topic',
      description: `Etches about ${label}: ${page.total} in all, newest first.`,
      quiet: say`
        Newest first. Also [challenges](/challenges?status=all&category=${id}) and
        [accounts](/search?in=accounts&category=${id}) of this topic.
      `,
      more: (
        <div class="actions lesser">
          <FollowButton site={site} following={following} back={here} what="this topic" />
        </div>
      ),
      canonical: site.baseUrl + (page.number === 1 ? here : withQuery(here, { page: page.number })),
      alternates: [{ type: 'application/json', href: `/api/v1/search?category=${id}` }],
      section: '/search',
      islands: ['times.js'],
    },
    <h2 class="count">{countText(page.total, 'etch')}</h2>,
    <EtchList
      site={site}
      etches={etches}
      outcomes={outcomes}
      showTopic={false}
      empty={page.total > 0 ? 'This page of the list is empty.' : 'Nothing here yet.'}
    />,
    <NumberedPager page={page} href={(number) => withQuery(here, { page: number })} />,
    <section>
      <h2>All topics</h2>
      <nav aria-label="Topics">
        <TopicLinks here={id} />
      </nav>
    </section>,
  );
}
