import { type FoundAccount, isTopicId, ROUTES } from '@svc/contract';
import { countText, recordText, withQuery } from '@svc/web/format';
import { narrowPage } from '@svc/web/layout';
import { NameAndHandle, Portrait } from '@svc/web/parts/author';
import { ChallengeList } from '@svc/web/parts/challenge-card';
import { EtchList } from '@svc/web/parts/etch-card';
import { Boxes, Choice, FilterForm, SearchBox, TopicBoxes } from '@svc/web/parts/filters';
import { Button } from '@svc/web/parts/form';
import { List, NumberedPager, Tabs } from '@svc/web/parts/lists';
import { say } from '@svc/web/parts/prose';
import {
  chips,
  isNarrowed,
  LISTS,
  matchText,
  nothing,
  type SearchExtras,
  type SearchData,
  STATUSES,
  tabCount,
  valuesOf,
} from '@svc/web/parts/search-aids';
import type { Page, Site } from '@svc/web/site';
import type { ListOutcomes } from '@svc/web/etch-text';
import type { FastifyInstance } from 'fastify';
import { CHALLENGE_ORDERS } from './challenges.tsx';
import { searchAccounts } from '../../discovery/account-store.ts';
import { searchChallenges } from '../../discovery/challenge-store.ts';
import { searchEtches } from '../../discovery/search.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { counted } from '../rate-limits.ts';
import { outcomesOf, outcomesOfAnswered, withCards } from './page-data.ts';
import { seeOther, wantsJson } from './send.ts';
import { takeAnonymous } from './session.ts';
import { siteFor } from './site.ts';
import { findAddressOf } from './find-subject.ts';
import { readList, type SearchDependencies } from '../../discovery/search-db.ts';
import { listBlindSeals, withBlindSeals } from '../../records/blind-store.ts';
import { countTabs } from '../../discovery/tabs-store.ts';

interface SearchQuery {
  in?: string;
  q?: string;
  category?: string;
  status?: string;
  sort?: string;
  page?: string;
}

export function mountSearchPage(app: FastifyInstance, deps: HttpDependencies): void {
  const { discovery } = deps;
  const querystring = ROUTES.searchEtches.query;

  app.get<{ Querystring: SearchQuery }>('/search', { schema: { querystring } }, async (request, reply) => {
    await takeAnonymous(deps, request);
    const { query } = request;
    const reader = request.session?.caller.userId;
    const from = counted(discovery, request);
    if (wantsJson(request)) {
      const { among: _, ...answer } = await load(from, reader, query);
      return answer;
    }
    const q = query.q?.trim() ?? '';
    const isFirst = query.page === undefined || query.page === '1';
    const lead = q !== '' && isFirst ? await findAddressOf(deps, q) : undefined;
    if (lead !== undefined) return seeOther(reply, lead);
    // This may be the start of a handle.
    const asked = q.startsWith('@') && query.in === undefined ? { ...query, in: 'accounts' } : query;
    const found = await load(from, reader, asked);
    const { categories } = found.query;
    const count = ({ searchDb }: Pick<SearchDependencies, 'searchDb'>) =>
      searchDb.run(true, (tx) => countTabs(tx, query.q!, categories));
    const tabs = q === '' ? undefined : await readList(from, reader, count);
    const shown = await asShown(deps, found);
    return searchPage(siteFor(deps, request), shown, { tabs, outcomes: await readOutcomes(deps, shown) });
  });
}

async function readOutcomes(deps: HttpDependencies, shown: SearchData): Promise<ListOutcomes | undefined> {
  if (shown.among === 'challenges') return outcomesOf(deps, shown.challenges);
  return shown.among === 'etches' ? outcomesOfAnswered(deps, shown.etches) : undefined;
}

/** With the cards of etches, and with blind seals of accounts counted as sealed. */
async function asShown(deps: HttpDependencies, found: SearchData): Promise<SearchData> {
  if (found.among === 'etches') {
    return { ...found, etches: await withCards(deps, found.etches, { hit: found.query.q ?? undefined }) };
  }
  if (found.among === 'challenges' || found.accounts === null) return found;
  const ids = found.accounts.map(({ user_id: id }) => id);
  const seals = await listBlindSeals(deps.db, ids, deps.view.drand);
  const blindOf = (id: string): number => seals.filter(({ user_id }) => user_id === id).length;
  return {
    ...found,
    accounts: found.accounts.map((one) => ({
      ...one,
      counts: withBlindSeals(one.counts, blindOf(one.user_id)),
    })),
  };
}

async function load(
  from: SearchDependencies,
  reader: string | undefined,
  { in: among, ...query }: SearchQuery,
): Promise<SearchData> {
  if (among === 'challenges') return { among, ...(await searchChallenges(from, reader, query)) };
  if (among !== 'accounts') {
    const names = ['q', 'category', 'status', 'sort', 'page'] as const;
    const asked = Object.fromEntries(
      names.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])),
    );
    return { among: 'etches', ...(await searchEtches(from, reader, asked)) };
  }
  if (!query.q?.trim() && !query.category?.split(',').some(isTopicId)) {
    const nothing = { number: 1, pages: 1, total: 0 };
    return { among, query: { q: null, sort: 'best', categories: [] }, accounts: null, page: nothing };
  }
  return { among, ...(await searchAccounts(from, reader, query)) };
}

export function searchPage(site: Site, data: SearchData, extras: SearchExtras = {}): Page {
  const { tabs } = extras;
  const { query, among, page } = data;
  const words = query.q ?? '';
  // The counts of the other tabs are without the filter by status.
  const shownCount = tabs && !isNarrowed(data) ? tabs[among] : { count: page.total, more: false };
  return narrowPage(
    site,
    {
      title: words === '' ? 'All etches' : `Search: ${words}`,
      heading: words === '' && among === 'etches' ? 'All etches' : 'Search',
      description: 'Search etches, accounts and challenges. What is sealed is never searched.',
      unlisted: words !== '',
      section: among === 'challenges' ? '/challenges' : '/search',
      islands: ['times.js'],
    },
    <FilterForm action="/search" sends={{ in: among }}>
      <SearchBox value={words} />
      <Tabs
        label="What to search"
        tabs={LISTS.map((list) => ({
          href: withQuery('/search', { in: list.among, q: words, category: query.categories }),
          label: [list.label, tabs && tabCount(list.among === among ? shownCount : tabs[list.among])],
          isHere: list.among === among,
        }))}
      />
      {filters(data)}
    </FilterForm>,
    chips(data),
    found(site, data, extras),
    <NumberedPager
      page={page}
      href={(number) => withQuery('/search', { ...valuesOf(data), page: number })}
    />,
  );
}

function filters(data: SearchData) {
  const { query, among } = data;
  return (
    <details class="more-filters">
      <summary>Filters and help</summary>
      <div class="row">
        <Choice name="sort" label="Order" options={ordersOf(data)} chosen={query.sort} />
        {among === 'challenges' && (
          <Choice
            name="status"
            label="Show"
            chosen={data.query.status}
            options={[
              { value: 'all', label: 'all' },
              { value: 'open', label: 'open' },
              { value: 'closed', label: 'closed' },
            ]}
          />
        )}
      </div>
      {among === 'etches' && (
        <Boxes name="status" label="Status" chosen={data.query.statuses} options={STATUSES} />
      )}
      <TopicBoxes chosen={query.categories} />
      <Button kind="secondary">Apply</Button>
      <p class="hint">
        {say`
          The search finds words side by side, as you type them. Sealed etches are found by their descriptions.
          ~@name~, a code, a hash, an id or an address of this site opens its page. The SHA-256 of a file finds
          etches that list it.
        `}
      </p>
    </details>
  );
}

function ordersOf({ among, query }: SearchData) {
  const best = query.q === null ? [] : [{ value: 'best', label: 'best match' }];
  const newest = { value: 'newest', label: 'newest' };
  if (among === 'etches') return [...best, newest, { value: 'oldest', label: 'oldest' }];
  if (among === 'challenges') return [...best, ...CHALLENGE_ORDERS];
  return [{ value: 'best', label: 'best match' }, { value: 'most', label: 'most etches' }, newest];
}

function found(site: Site, data: SearchData, { tabs, outcomes }: SearchExtras) {
  const { page } = data;
  const empty = 'This page of the list is empty.';
  if (data.among === 'accounts' && data.accounts === null) {
    return <p class="empty">Type a name, or choose a topic, to find accounts.</p>;
  }
  const { unit } = LISTS.find(({ among }) => among === data.among)!;
  if (page.total === 0 && data.query.q !== null) return nothing(data, tabs);
  return (
    <>
      <h2 class="count">
        {data.query.q === null
          ? countText(page.total, unit)
          : matchText({ count: page.total, more: false }, unit)}
      </h2>
      {data.among === 'etches' && (
        <EtchList
          site={site}
          etches={data.etches}
          outcomes={outcomes}
          empty={empty}
          hit={data.query.q ?? undefined}
        />
      )}
      {data.among === 'accounts' && accounts(data.accounts ?? [], empty, data.query.q?.replace(/^@/, ''))}
      {data.among === 'challenges' && (
        <ChallengeList
          challenges={data.challenges}
          empty={empty}
          hit={data.query.q ?? undefined}
          outcomes={outcomes}
        />
      )}
    </>
  );
}

const accounts = (found: readonly FoundAccount[], empty: string, hit: string | undefined) => (
  <List of={found} empty={empty}>
    {(account) => (
      <article class="card">
        <h3>
          <a href={`/u/${account.username}`}>
            <Portrait id={account.user_id} /> <NameAndHandle of={account} hit={hit} />
          </a>{' '}
          <span class="badge">{account.kind === 'agent' ? 'agent' : 'person'}</span>
          {account.verified && [' ', <span class="badge">verified</span>]}
        </h3>
        <p class="quiet">
          {recordText(account.counts)}
          {account.match_count > 0 && ` · ${countText(account.match_count, 'match')} here`}
        </p>
      </article>
    )}
  </List>
);
