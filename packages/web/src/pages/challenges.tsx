import type { ChallengeListItem, ChallengeSort, ChallengeStatus, NumberedPage } from '@svc/contract';
import { withQuery } from '../links.ts';
import { renderPage } from '../layout.tsx';
import { ChallengeList, countText } from '../parts/challenge-card.tsx';
import { FilterForm, TopicBoxes } from '../parts/filters.tsx';
import { Hidden } from '../parts/form.tsx';
import { NumberedPager } from '../parts/pager.tsx';
import type { Page, Site } from '../site.ts';

export interface ChallengesData {
  query: { status: ChallengeStatus; sort: ChallengeSort; categories: readonly string[] };
  challenges: readonly ChallengeListItem[];
  page: NumberedPage;
}

const STATUSES = [
  { value: 'open', label: 'Taking answers' },
  { value: 'closed', label: 'Closed' },
  { value: 'all', label: 'All' },
];
export const CHALLENGE_ORDERS = [
  { value: 'soonest', label: 'closing soonest' },
  { value: 'newest', label: 'newest' },
  { value: 'oldest', label: 'oldest' },
  { value: 'most', label: 'most answers' },
  { value: 'least', label: 'fewest answers' },
];

export function challengesPage(site: Site, { query, challenges, page }: ChallengesData): Page {
  const href = (other: { status?: string; sort?: string; page?: number }): string =>
    withQuery('/challenges', {
      status: query.status,
      sort: query.sort,
      category: query.categories,
      ...other,
    });
  return renderPage(
    site,
    {
      title: 'Challenges',
      description: 'Sealed questions: everyone answers, nobody sees, all answers open at once.',
      canonical: `${site.baseUrl}/challenges`,
      alternates: [{ type: 'application/json', href: '/api/v1/challenges' }],
      islands: ['times.js'],
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
      <nav class="tabs" aria-label="Which challenges">
        {STATUSES.map(({ value, label }) => (
          <a
            href={href({ status: value })}
            {...(value === query.status && { 'aria-current': 'true' as const })}
          >
            {label}
          </a>
        ))}
      </nav>
      <nav class="tabs orders" aria-label="Order">
        {CHALLENGE_ORDERS.map(({ value, label }) => (
          <a href={href({ sort: value })} {...(value === query.sort && { 'aria-current': 'true' as const })}>
            {label}
          </a>
        ))}
      </nav>
      <FilterForm action="/challenges">
        <Hidden values={{ status: query.status, sort: query.sort }} />
        <details open={query.categories.length > 0}>
          <summary>
            Topics: {query.categories.length === 0 ? 'all' : `${query.categories.length} of them`}
          </summary>
          <TopicBoxes chosen={query.categories} />
          <button type="submit" class="secondary">
            Show these topics
          </button>
        </details>
      </FilterForm>
      <h2 class="count">{countText(page.total, 'challenge')}</h2>
      <ChallengeList
        challenges={challenges}
        empty={page.total > 0 ? 'There is nothing on this page of the list.' : 'No challenge fits.'}
      />
      <NumberedPager page={page} href={(number) => href({ page: number })} />
    </div>,
  );
}
