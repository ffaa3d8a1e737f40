import type { ChallengeListItem, ChallengeSort, ChallengeStatus, NumberedPage } from '@svc/contract';
import { withQuery } from '../links.ts';
import { renderPage } from '../layout.tsx';
import { ChallengeList, countText } from '../parts/challenge-card.tsx';
import { Choice, FilterForm, TopicBoxes } from '../parts/filters.tsx';
import { NumberedPager } from '../parts/pager.tsx';
import type { Page, Site } from '../site.ts';

export interface ChallengesData {
  query: { status: ChallengeStatus; sort: ChallengeSort; categories: readonly string[] };
  challenges: readonly ChallengeListItem[];
  page: NumberedPage;
}

const STATUSES = [
  { value: 'open', label: 'taking answers' },
  { value: 'closed', label: 'closed' },
  { value: 'all', label: 'all' },
];
export const CHALLENGE_ORDERS = [
  { value: 'soonest', label: 'closing soonest' },
  { value: 'newest', label: 'newest' },
  { value: 'oldest', label: 'oldest' },
  { value: 'most', label: 'most answers' },
  { value: 'least', label: 'fewest answers' },
];

export function challengesPage(site: Site, { query, challenges, page }: ChallengesData): Page {
  return renderPage(
    site,
    {
      title: 'Challenges',
      description: 'Sealed questions: everyone answers, nobody sees, all answers open at once.',
      canonical: `${site.baseUrl}/challenges`,
      alternates: [{ type: 'application/json', href: '/api/v1/challenges' }],
      section: '/challenges',
    },
    <div class="narrow">
      <header class="page-head">
        <h1>Challenges</h1>
        <p class="lead">
          A challenge is a sealed question: everyone answers once, nobody sees an answer, and all of them open
          at the same moment.
        </p>
        <p class="actions lesser">
          <a class={site.viewer ? 'button' : 'quiet'} href="/challenges/new">
            {site.viewer ? 'Ask a challenge' : 'Sign in to ask one'}
          </a>
        </p>
      </header>
      <FilterForm action="/challenges" submit="Show">
        <div class="row">
          <Choice name="status" label="Show" options={STATUSES} chosen={query.status} />
          <Choice name="sort" label="Order" options={CHALLENGE_ORDERS} chosen={query.sort} />
        </div>
        <TopicBoxes chosen={query.categories} />
      </FilterForm>
      <h2 class="count">{countText(page.total, 'challenge')}</h2>
      <ChallengeList
        challenges={challenges}
        empty={page.total > 0 ? 'There is nothing on this page of the list.' : 'No challenge fits.'}
      />
      <NumberedPager
        page={page}
        href={(number) =>
          withQuery('/challenges', {
            status: query.status,
            sort: query.sort,
            category: query.categories,
            page: number,
          })
        }
      />
    </div>,
  );
}
