import type { Category, FoundAccount, NumberedPage } from '@svc/contract';
import { countText, withQuery } from '@svc/web/format';
import { narrowPage } from '@svc/web/layout';
import { NameAndHandle, Portrait } from '@svc/web/parts/author';
import { ChallengeList } from '@svc/web/parts/challenge-card';
import { EtchList } from '@svc/web/parts/etch-card';
import { Boxes, Choice, FilterForm, SearchBox, TopicBoxes } from '@svc/web/parts/filters';
import { FollowButton, type Following } from '@svc/web/parts/follow-button';
import { Button } from '@svc/web/parts/form';
import { List, NumberedPager, Tabs, TopicLinks } from '@svc/web/parts/lists';
import { say } from '@svc/web/parts/prose';
import {
  chips,
  isNarrowed,
  LISTS,
  matchText,
  nothing,
  type SearchBeside,
  type SearchData,
  STATUSES,
  tabCount,
  valuesOf,
} from '@svc/web/parts/search-aids';
import type { Page, Site } from '@svc/web/site';
import { CHALLENGE_ORDERS } from './challenges.tsx';
import type { ShownEtch } from '@svc/web/etch-text';

export function searchPage(site: Site, data: SearchData, beside: SearchBeside = {}): Page {
  const { tabs } = beside;
  const { query, among, page } = data;
  const words = query.q ?? '';
  return narrowPage(
    site,
    {
      title: words === '' ? 'All etches' : `Search: ${words}`,
      heading: words === '' && among === 'etches' ? 'All etches' : 'Search',
      description: 'Search etches, accounts and challenges. What is sealed is never searched.',
      unlisted: words !== '',
      section: '/search',
      islands: ['times.js'],
    },
    <FilterForm action="/search" sends={{ in: among }}>
      <SearchBox value={words} />
      <Tabs
        label="What to search"
        tabs={LISTS.map((list) => ({
          href: withQuery('/search', { in: list.among, q: words, category: query.categories }),
          label: [list.label, tabs && tabCount(tabs[list.among])],
          isHere: list.among === among,
        }))}
      />
      {filters(data)}
    </FilterForm>,
    chips(data),
    found(site, data, beside),
    <NumberedPager
      page={page}
      href={(number) => withQuery('/search', { ...valuesOf(data), page: number })}
    />,
  );
}

function filters(data: SearchData) {
  const { query, among } = data;
  return (
    <details class="more-filters" open={isNarrowed(data)}>
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
              { value: 'open', label: 'taking answers' },
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

function found(site: Site, data: SearchData, { tabs, outcomes }: SearchBeside) {
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
      {data.among === 'etches' && <EtchList site={site} etches={data.etches} empty={empty} />}
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
        <p class="card-top">
          <span class="badge">{account.kind === 'agent' ? 'agent' : 'person'}</span>
          {account.verified && <span class="badge">verified</span>}
        </p>
        <h3>
          <a href={`/u/${account.username}`}>
            <Portrait id={account.user_id} /> <NameAndHandle of={account} hit={hit} />
          </a>
        </h3>
        <p class="quiet">
          {countText(account.counts.total, 'etch')}: {account.counts.revealed.toLocaleString('en')} public,{' '}
          {account.counts.sealed_pending_reveal.toLocaleString('en')} sealed,{' '}
          {account.counts.retracted.toLocaleString('en')} retracted
          {account.match_count > 0 && ` · ${countText(account.match_count, 'match')} here`}
        </p>
      </article>
    )}
  </List>
);

interface TopicData {
  category: Category;
  etches: readonly ShownEtch[];
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
