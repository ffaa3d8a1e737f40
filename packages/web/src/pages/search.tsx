import type { FoundAccount } from '@svc/contract';
import { withQuery } from '../links.ts';
import { Narrow, renderPage } from '../layout.tsx';
import { NameAndHandle, Portrait } from '../parts/author.tsx';
import { ChallengeList } from '../parts/challenge-card.tsx';
import { EtchList } from '../parts/etch-card.tsx';
import { Boxes, Choice, FilterForm, SearchBox, TopicBoxes } from '../parts/filters.tsx';
import { List, NumberedPager, Tabs } from '../parts/lists.tsx';
import {
  Chips,
  LISTS,
  matchText,
  Nothing,
  type SearchBeside,
  type SearchData,
  STATUSES,
  TabCount,
  valuesOf,
} from '../parts/search-aids.tsx';
import type { Page, Site } from '../site.ts';
import { CHALLENGE_ORDERS } from './challenges.tsx';
import { countText } from '../format.ts';

export function searchPage(site: Site, data: SearchData, beside: SearchBeside = {}): Page {
  const { tabs } = beside;
  const { query, among, page } = data;
  const words = query.q ?? '';
  return renderPage(
    site,
    {
      title: words === '' ? 'All etches' : `Search: ${words}`,
      description: 'Search etches, accounts and challenges. What is sealed is never searched.',
      unlisted: words !== '',
      section: '/search',
      islands: ['times.js'],
    },
    <Narrow heading={words === '' && among === 'etches' ? 'All etches' : 'Search'}>
      <FilterForm action="/search">
        <input type="hidden" name="in" value={among} />
        <SearchBox value={words} />
        <Tabs
          label="What to search"
          tabs={LISTS.map((list) => ({
            href: withQuery('/search', { in: list.among, q: words, category: query.categories }),
            label: [list.label, tabs && <TabCount counted={tabs[list.among]} />],
            isHere: list.among === among,
          }))}
        />
        <Filters data={data} />
      </FilterForm>
      <Chips data={data} />
      <Found site={site} data={data} beside={beside} />
      <NumberedPager
        page={page}
        href={(number) => withQuery('/search', { ...valuesOf(data), page: number })}
      />
    </Narrow>,
  );
}

function Filters({ data }: { data: SearchData }) {
  const { query, among } = data;
  const narrowed =
    query.categories.length > 0 ||
    (among === 'etches' && data.query.statuses.length > 0) ||
    (among === 'challenges' && data.query.status !== 'all');
  return (
    <details class="more-filters" open={narrowed}>
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
        <Boxes name="status" legend="Status" chosen={data.query.statuses} options={STATUSES} />
      )}
      <TopicBoxes chosen={query.categories} />
      <button type="submit" class="secondary">
        Apply
      </button>
      <p class="hint">
        The search finds words side by side, as you type them. Sealed etches are found by their descriptions.{' '}
        <code>@name</code>, a code, a hash, an id or an address of this site opens its page. The SHA-256 of a
        file finds etches that list it.
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

type FoundProps = { site: Site; data: SearchData; beside: SearchBeside };

function Found({ site, data, beside: { tabs, outcomes } }: FoundProps) {
  const { page } = data;
  const nothing = 'This page of the list is empty.';
  if (data.among === 'accounts' && data.accounts === null) {
    return <p class="empty">Type a name, or choose a topic, to find accounts.</p>;
  }
  const { unit } = LISTS.find(({ among }) => among === data.among)!;
  if (page.total === 0 && data.query.q !== null) return <Nothing data={data} tabs={tabs} />;
  return (
    <>
      <h2 class="count">
        {data.query.q === null
          ? countText(page.total, unit)
          : matchText({ count: page.total, more: false }, unit)}
      </h2>
      {data.among === 'etches' && <EtchList site={site} etches={data.etches} empty={nothing} />}
      {data.among === 'accounts' && (
        <Accounts accounts={data.accounts ?? []} empty={nothing} hit={data.query.q?.replace(/^@/, '')} />
      )}
      {data.among === 'challenges' && (
        <ChallengeList
          challenges={data.challenges}
          empty={nothing}
          hit={data.query.q ?? undefined}
          outcomes={outcomes}
        />
      )}
    </>
  );
}

type AccountsProps = { accounts: readonly FoundAccount[]; empty: string; hit: string | undefined };

function Accounts({ accounts, empty, hit }: AccountsProps) {
  return (
    <List of={accounts} empty={empty}>
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
}
