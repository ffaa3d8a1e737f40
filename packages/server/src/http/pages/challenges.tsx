import type { ChallengeListItem, ChallengeSort, ChallengeStatus, NumberedPage } from '@svc/contract';
import { narrowPage } from '@svc/web/layout';
import { ChallengeList } from '@svc/web/parts/challenge-card';
import { Choice, FilterForm, TopicBoxes } from '@svc/web/parts/filters';
import { Button } from '@svc/web/parts/form';
import { NumberedPager, Tabs } from '@svc/web/parts/lists';
import type { Page, Site } from '@svc/web/site';
import type { ListOutcomes } from '@svc/web/etch-text';
import { countText, withQuery } from '@svc/web/format';
import type { FastifyInstance } from 'fastify';
import { isResolved } from '../../records/scores/resolution-store.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { answerChallenges } from '../routes/discovery.ts';
import { outcomesOf } from './page-data.ts';
import { wantsJson } from './send.ts';
import { takeAnonymous } from './session.ts';
import { siteFor } from './site.ts';

export function mountChallengesPage(app: FastifyInstance, deps: HttpDependencies): void {
  app.get<{ Querystring: Record<string, string> }>('/challenges', async (request) => {
    await takeAnonymous(deps, request);
    const { query } = request;
    const isJson = wantsJson(request);
    const resolved = isJson ? undefined : ['yes', 'no'].find((word) => word === query['resolved']);
    const found = await answerChallenges(
      deps,
      request.session?.caller.userId,
      query,
      resolved === undefined ? undefined : isResolved(resolved === 'yes'),
    );
    if (isJson) return found;
    const outcomes = await outcomesOf(deps, found.challenges);
    return challengesPage(siteFor(deps, request), { ...found, resolved, outcomes });
  });
}

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
  { status: 'closed', resolved: 'no', label: 'Closed, not resolved' },
  { status: 'closed', resolved: 'yes', label: 'Resolved' },
  { status: 'all', label: 'All' },
];
const CLOSED: Tab = { status: 'closed', label: 'Closed' };
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
  const tabs = isHere(CLOSED) ? [...TABS, CLOSED] : TABS;
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
  return narrowPage(
    site,
    {
      title: 'Challenges',
      description: 'Sealed questions: each account answers once, and all answers open at the same moment.',
      lead: 'Each account answers once. All answers stay sealed and open at the same moment.',
      more: (
        <p class="actions lesser">
          <a class={site.viewer ? 'button' : 'quiet'} href="/challenges/new">
            {site.viewer ? 'New challenge' : 'Sign in to ask a question'}
          </a>
        </p>
      ),
      canonical: `${site.baseUrl}/challenges`,
      alternates: [{ type: 'application/json', href: '/api/v1/challenges' }],
      islands: ['times.js'],
      section: '/challenges',
    },
    <Tabs
      label="Which challenges"
      current="true"
      tabs={tabs.map((tab) => ({
        label: tab.label,
        href: href({ status: tab.status, resolved: tab.resolved ?? null }),
        isHere: isHere(tab),
      }))}
    />,
    <FilterForm action="/challenges" sends={{ status: query.status, ...(resolved && { resolved }) }}>
      <details open={query.categories.length > 0}>
        <summary>
          Order: {orders.find(({ value }) => value === query.sort)!.label} · Topics:{' '}
          {query.categories.length === 0 ? 'all' : query.categories.length}
        </summary>
        <div class="row">
          <Choice name="sort" label="Order" options={orders} chosen={query.sort} />
        </div>
        <TopicBoxes chosen={query.categories} />
        <Button kind="secondary">Apply</Button>
      </details>
    </FilterForm>,
    <h2 class="count">{countText(page.total, 'challenge')}</h2>,
    <ChallengeList
      challenges={challenges}
      outcomes={outcomes}
      empty={page.total > 0 ? 'This page of the list is empty.' : 'No challenge matches.'}
    />,
    <NumberedPager page={page} href={(number) => href({ page: number })} />,
  );
}
