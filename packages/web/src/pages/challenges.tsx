import type { ChallengeListItem, ChallengeSort, ChallengeStatus, NumberedPage } from '@svc/contract';
import { withQuery } from '../links.ts';
import { renderPage } from '../layout.tsx';
import type { ListOutcomes } from '../questions.ts';
import { ChallengeList } from '../parts/challenge-card.tsx';
import { Choice, FilterForm, TopicBoxes } from '../parts/filters.tsx';
import { Hidden } from '../parts/form.tsx';
import { NumberedPager } from '../parts/lists.tsx';
import type { Page, Site } from '../site.ts';
import { countText } from '../format.ts';

interface ChallengesData {
  query: { status: ChallengeStatus; sort: ChallengeSort; categories: readonly string[] };
  challenges: readonly ChallengeListItem[];
  page: NumberedPage;
  /** `yes` or `no`: only challenges with or without an outcome */
  resolved?: string | undefined;
  outcomes?: ListOutcomes;
}

interface Tab {
  status: ChallengeStatus;
  resolved?: string | undefined;
  label: string;
}
const TABS: readonly Tab[] = [
  { status: 'open', label: 'Open' },
  { status: 'closed', resolved: 'no', label: 'Closed, unresolved' },
  { status: 'closed', resolved: 'yes', label: 'Resolved' },
];
const OTHER_TABS: readonly Tab[] = [
  { status: 'closed', label: 'Closed' },
  { status: 'all', label: 'All' },
];
export const CHALLENGE_ORDERS = [
  { value: 'soonest', label: 'closing soonest' },
  { value: 'newest', label: 'newest' },
  { value: 'oldest', label: 'oldest' },
  { value: 'most', label: 'most answers' },
  { value: 'least', label: 'fewest answers' },
];

export function challengesPage(
  site: Site,
  { query, challenges, page, resolved, outcomes }: ChallengesData,
): Page {
  const isHere = (tab: Tab): boolean => tab.status === query.status && tab.resolved === resolved;
  const other = TABS.some(isHere) ? undefined : OTHER_TABS.find(({ status }) => status === query.status);
  const orders = CHALLENGE_ORDERS.map(({ value, label }) => ({
    value,
    label: value === 'soonest' && query.status === 'closed' ? 'most recently closed' : label,
  }));
  const href = (other: { status?: string; resolved?: string | null; sort?: string; page?: number }): string =>
    withQuery('/challenges', {
      status: query.status,
      resolved: resolved ?? null,
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
        <p class="lead">Everyone answers once. All answers stay sealed and open at the same moment.</p>
        <p class="actions lesser">
          <a class={site.viewer ? 'button' : 'quiet'} href="/challenges/new">
            {site.viewer ? 'Ask a challenge' : 'Sign in to ask one'}
          </a>
        </p>
      </header>
      <nav class="tabs" aria-label="Which challenges">
        {[...TABS, ...(other ? [other] : [])].map((tab) => (
          <a
            href={href({ status: tab.status, resolved: tab.resolved ?? null })}
            {...((isHere(tab) || tab === other) && { 'aria-current': 'true' as const })}
          >
            {tab.label}
          </a>
        ))}
      </nav>
      <FilterForm action="/challenges">
        <Hidden values={{ status: query.status, ...(resolved && { resolved }) }} />
        <details open={query.categories.length > 0}>
          <summary>
            Order: {orders.find(({ value }) => value === query.sort)!.label} · Topics:{' '}
            {query.categories.length === 0 ? 'all' : query.categories.length}
          </summary>
          <div class="row">
            <Choice name="sort" label="Order" options={orders} chosen={query.sort} />
          </div>
          <TopicBoxes chosen={query.categories} />
          <button type="submit" class="secondary">
            Apply
          </button>
        </details>
      </FilterForm>
      <h2 class="count">{countText(page.total, 'challenge')}</h2>
      <ChallengeList
        challenges={challenges}
        outcomes={outcomes}
        empty={page.total > 0 ? 'This page of the list is empty.' : 'No challenge matches.'}
      />
      <NumberedPager page={page} href={(number) => href({ page: number })} />
    </div>,
  );
}
