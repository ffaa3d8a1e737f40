import type {
  ChallengeListItem,
  Etch,
  FoundAccount,
  NumberedPage,
  SearchPage as EtchSearchPage,
} from '@svc/contract';
import type { VNode } from 'preact';
import { withQuery } from '../links.ts';
import { renderPage } from '../layout.tsx';
import { ChallengeList, countText } from '../parts/challenge-card.tsx';
import { EtchList } from '../parts/etch-card.tsx';
import { Boxes, Choice, FilterForm, SearchBox, TopicBoxes } from '../parts/filters.tsx';
import { NumberedPager } from '../parts/pager.tsx';
import { Text } from '../parts/text.tsx';
import type { Page, Site } from '../site.ts';
import { CHALLENGE_ORDERS } from './challenges.tsx';

/** What was asked for and what was found, in one of the three lists. */
export type SearchData =
  | {
      among: 'etches';
      query: { q: string | null; sort: string; categories: readonly string[]; statuses: readonly string[] };
      etches: readonly Etch[];
      page: EtchSearchPage;
    }
  | {
      among: 'accounts';
      query: { q: string | null; sort: string; categories: readonly string[] };
      /** null: neither words nor a topic were given */
      accounts: readonly FoundAccount[] | null;
      page: NumberedPage;
    }
  | {
      among: 'challenges';
      query: { q: string | null; sort: string; categories: readonly string[]; status: string };
      challenges: readonly ChallengeListItem[];
      page: NumberedPage;
    };

const LISTS = [
  { among: 'etches', label: 'Etches' },
  { among: 'accounts', label: 'Accounts' },
  { among: 'challenges', label: 'Challenges' },
] as const;

export function searchPage(site: Site, data: SearchData): Page {
  const { query, among, page } = data;
  const words = query.q ?? '';
  return renderPage(
    site,
    {
      title: words === '' ? 'All etches' : `Search: ${words}`,
      description: 'Search etches, accounts and challenges. What is sealed is never searched.',
      unlisted: words !== '',
      section: '/search',
    },
    <div class="narrow">
      <header class="page-head">
        <h1>{words === '' && among === 'etches' ? 'The public record' : 'Search'}</h1>
        <p class="quiet">
          Sealed words are never searched; their descriptions are. A file’s SHA-256 finds who listed it.
        </p>
      </header>
      <FilterForm action="/search">
        <input type="hidden" name="in" value={among} />
        <SearchBox value={words} />
        <nav class="tabs" aria-label="What to search">
          {LISTS.map((list) => (
            <a
              href={withQuery('/search', { in: list.among, q: words, category: query.categories })}
              {...(list.among === among ? { 'aria-current': 'page' as const } : {})}
            >
              {list.label}
            </a>
          ))}
        </nav>
        <Filters data={data} />
      </FilterForm>
      <Found site={site} data={data} />
      <NumberedPager
        page={page}
        href={(number) => withQuery('/search', { ...valuesOf(data), page: number })}
      />
    </div>,
  );
}

function Filters({ data }: { data: SearchData }): VNode {
  const { query, among } = data;
  const narrowed =
    query.categories.length > 0 ||
    (among === 'etches' && data.query.statuses.length > 0) ||
    (among === 'challenges' && data.query.status !== 'all');
  return (
    <details class="more-filters" open={narrowed}>
      <summary>Narrow it down</summary>
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
        <Boxes
          name="status"
          legend="Status"
          chosen={data.query.statuses}
          options={[
            { value: 'revealed', label: 'Public' },
            { value: 'sealed', label: 'Sealed' },
            { value: 'retracted', label: 'Retracted' },
          ]}
        />
      )}
      <TopicBoxes chosen={query.categories} />
      <button type="submit" class="secondary">
        Apply
      </button>
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

function valuesOf(data: SearchData) {
  const { q, sort, categories } = data.query;
  const status =
    data.among === 'etches' ? data.query.statuses : data.among === 'challenges' ? data.query.status : null;
  return { in: data.among, q, sort, category: categories, status };
}

function Found({ site, data }: { site: Site; data: SearchData }): VNode {
  const { page } = data;
  const nothing = page.total > 0 ? 'There is nothing on this page of the list.' : 'Nothing found.';
  if (data.among === 'accounts' && data.accounts === null) {
    return <p class="empty">Type a name, or choose a topic, to find accounts.</p>;
  }
  const unit = { etches: 'etch', accounts: 'account', challenges: 'challenge' }[data.among];
  return (
    <>
      <h2 class="count">{countText(page.total, unit)}</h2>
      {data.among === 'etches' && <EtchList site={site} etches={data.etches} empty={nothing} />}
      {data.among === 'accounts' && <Accounts accounts={data.accounts ?? []} empty={nothing} />}
      {data.among === 'challenges' && <ChallengeList challenges={data.challenges} empty={nothing} />}
    </>
  );
}

function Accounts({ accounts, empty }: { accounts: readonly FoundAccount[]; empty: string }): VNode {
  if (accounts.length === 0) return <p class="empty">{empty}</p>;
  return (
    <ul class="cards">
      {accounts.map((account) => (
        <li>
          <article class="card">
            <p class="card-top">
              <span class="badge">{account.kind === 'agent' ? 'agent' : 'person'}</span>
              {account.verified && <span class="badge">verified</span>}
            </p>
            <h3>
              <a href={`/u/${account.username}`}>
                <Text>{account.display_name}</Text> <span class="handle">@{account.username}</span>
              </a>
            </h3>
            <p class="quiet">
              {countText(account.counts.total, 'etch')}: {account.counts.revealed.toLocaleString('en')}{' '}
              public, {account.counts.sealed_pending_reveal.toLocaleString('en')} sealed,{' '}
              {account.counts.retracted.toLocaleString('en')} retracted
              {account.match_count > 0 && ` · ${countText(account.match_count, 'match')} here`}
            </p>
          </article>
        </li>
      ))}
    </ul>
  );
}
