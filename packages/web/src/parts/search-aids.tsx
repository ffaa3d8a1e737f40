import {
  type ChallengeListItem,
  type FoundAccount,
  type NumberedPage,
  type SearchPage as EtchSearchPage,
  TOPICS,
} from '@svc/contract';
import { safeLink } from './values.tsx';
import type { ListOutcomes, ShownEtch } from '../etch-text.ts';
import { countText, withQuery } from '../format.ts';

interface Counted {
  count: number;
  more: boolean;
}

export const tabCount = ({ count, more }: Counted) => (
  <span class="tab-count">{` ${count.toLocaleString('en')}${more ? '+' : ''}`}</span>
);

export const matchText = ({ count, more }: Counted, unit: string): string =>
  countText(count, `matching ${unit}`).replace(' ', more ? '+ ' : ' ');

export function chips(data: SearchData) {
  const { query, among } = data;
  const values = valuesOf(data);
  const without = (list: readonly string[], value: string): string[] => list.filter((one) => one !== value);
  const statuses = among === 'etches' ? data.query.statuses : [];
  const all = [
    ...statuses.map((status) => ({
      label: STATUSES.find(({ value }) => value === status)?.label ?? status,
      href: withQuery('/search', { ...values, status: without(statuses, status) }),
    })),
    ...(among === 'challenges' && data.query.status !== 'all'
      ? [
          {
            label: data.query.status === 'open' ? 'Open' : 'Closed',
            href: withQuery('/search', { ...values, status: 'all' }),
          },
        ]
      : []),
    ...query.categories.map((id) => ({
      label: TOPICS.find((topic) => topic.id === id)?.label ?? id,
      href: withQuery('/search', { ...values, category: without(query.categories, id) }),
    })),
  ];
  if (all.length === 0) return null;
  return (
    <ul class="chips" aria-label="Narrowed down to">
      {all.map(({ label, href }) => (
        <li>
          <a href={href}>
            <span class="visually-hidden">Without </span>
            {label} <span aria-hidden="true">×</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

export function nothing(data: SearchData, tabs: TabCounts | undefined) {
  const { query, among } = data;
  const words = query.q ?? '';
  const parts = words.trim().split(/\s+/u);
  const longest = parts.reduce((a, b) => (b.length > a.length ? b : a), '');
  const others = LISTS.filter((list) => list.among !== among && (tabs?.[list.among].count ?? 0) > 0);
  return (
    <section class="empty nothing">
      <h2>Nothing found</h2>
      <ul>
        {others.map((list) => (
          <li>
            <a href={withQuery('/search', { in: list.among, q: words, category: query.categories })}>
              {matchText(tabs![list.among], list.unit)}
            </a>
          </li>
        ))}
        {isNarrowed(data) && (
          <li>
            <a href={withQuery('/search', { in: among, q: words })}>Without these filters</a>
          </li>
        )}
        {parts.length > 1 && (
          <li>
            The search finds words only side by side, as you typed them. Try{' '}
            {safeLink(withQuery('/search', { in: among, q: longest }), longest)} alone.
          </li>
        )}
        <li>Sealed words are not searched. Search for their description.</li>
        <li>
          A hash has 64 digits, a code six characters; a name begins with <code>@</code>.
        </li>
      </ul>
    </section>
  );
}

interface SearchQuery {
  q: string | null;
  sort: string;
  categories: readonly string[];
}

export type SearchData =
  | {
      among: 'etches';
      query: SearchQuery & { statuses: readonly string[] };
      etches: readonly ShownEtch[];
      page: EtchSearchPage;
    }
  | { among: 'accounts'; query: SearchQuery; accounts: readonly FoundAccount[] | null; page: NumberedPage }
  | {
      among: 'challenges';
      query: SearchQuery & { status: string };
      challenges: readonly ChallengeListItem[];
      page: NumberedPage;
    };

type TabCounts = Readonly<Record<SearchData['among'], Counted>>;

export interface SearchExtras {
  tabs?: TabCounts | undefined;
  outcomes?: ListOutcomes | undefined;
}

export const LISTS = [
  { among: 'etches', label: 'Etches', unit: 'etch' },
  { among: 'accounts', label: 'Accounts', unit: 'account' },
  { among: 'challenges', label: 'Challenges', unit: 'challenge' },
] as const;

export const STATUSES = [
  { value: 'revealed', label: 'Public or opened' },
  { value: 'sealed', label: 'Sealed' },
  { value: 'retracted', label: 'Retracted' },
] as const;

export const isNarrowed = ({ among, query }: SearchData): boolean =>
  query.categories.length > 0 ||
  (among === 'etches' && query.statuses.length > 0) ||
  (among === 'challenges' && query.status !== 'all');

export function valuesOf(data: SearchData) {
  const { q, sort, categories } = data.query;
  const status =
    data.among === 'etches' ? data.query.statuses : data.among === 'challenges' ? data.query.status : null;
  return { in: data.among, q, sort, category: categories, status };
}
