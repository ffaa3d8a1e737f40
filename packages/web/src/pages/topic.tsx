import { type Category, type Etch, type NumberedPage } from '@svc/contract';
import { withQuery } from '../links.ts';
import { renderPage } from '../layout.tsx';
import { EtchList } from '../parts/etch-card.tsx';
import { FollowButton, type Following } from '../parts/follow-button.tsx';
import { NumberedPager, TopicLinks } from '../parts/lists.tsx';
import type { Page, Site } from '../site.ts';
import { countText } from '../format.ts';

interface TopicData {
  category: Category;
  etches: readonly Etch[];
  page: NumberedPage;
}

export function topicPage(site: Site, { category, etches, page }: TopicData, following?: Following): Page {
  const here = `/topics/${category.id}`;
  return renderPage(
    site,
    {
      title: category.label,
      description: `Etches about ${category.label}: ${page.total} in all, newest first.`,
      canonical: site.baseUrl + (page.number === 1 ? here : withQuery(here, { page: page.number })),
      alternates: [{ type: 'application/json', href: `/api/v1/search?category=${category.id}` }],
      section: '/search',
      islands: ['times.js'],
    },
    <div class="narrow">
      <header class="page-head">
        <p class="card-top quiet">Topic</p>
        <h1>{category.label}</h1>
        <p class="quiet">
          Newest first. Also <a href={`/challenges?status=all&category=${category.id}`}>challenges</a> and{' '}
          <a href={`/search?in=accounts&category=${category.id}`}>accounts</a> of this topic.
        </p>
        <div class="actions lesser">
          <FollowButton site={site} following={following} back={here} what="this topic" />
        </div>
      </header>
      <h2 class="count">{countText(page.total, 'etch')}</h2>
      <EtchList
        site={site}
        etches={etches}
        empty={page.total > 0 ? 'This page of the list is empty.' : 'Nothing here yet.'}
      />
      <NumberedPager page={page} href={(number) => withQuery(here, { page: number })} />
      <nav aria-label="Topics">
        <TopicLinks here={category.id} />
      </nav>
    </div>,
  );
}
