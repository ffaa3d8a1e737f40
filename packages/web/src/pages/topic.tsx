import { type Category, type Etch, type NumberedPage } from '@svc/contract';
import { countText } from '../format.ts';
import { narrowPage } from '../layout.tsx';
import { withQuery } from '../links.ts';
import { EtchList } from '../parts/etch-card.tsx';
import { FollowButton, type Following } from '../parts/follow-button.tsx';
import { NumberedPager, TopicLinks } from '../parts/lists.tsx';
import { say } from '../parts/prose.tsx';
import type { Page, Site } from '../site.ts';

interface TopicData {
  category: Category;
  etches: readonly Etch[];
  page: NumberedPage;
}

export function topicPage(site: Site, { category, etches, page }: TopicData, following?: Following): Page {
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
      empty={page.total > 0 ? 'This page of the list is empty.' : 'Nothing here yet.'}
    />,
    <NumberedPager page={page} href={(number) => withQuery(here, { page: number })} />,
    <nav aria-label="Topics">
      <TopicLinks here={id} />
    </nav>,
  );
}
