import { Type } from 'typebox';
import { challengeItem, numberedPage } from '../examples/challenge.ts';
import { foundAccount } from '../examples/discovery.ts';
import { revealedEtch } from '../examples/etch.ts';
import { envelope, flag, listOf, looseTextField, nullable, oneOf, request, shape } from '../fields.ts';
import { FoundAccount } from '../resources/account.ts';
import { CHALLENGE_SORTS, CHALLENGE_STATUSES, ChallengeListItem } from '../resources/challenge.ts';
import { ETCH_STATUSES, Etch } from '../resources/etch.ts';
import { NumberedPage, SearchPage } from '../resources/page.ts';
import { CategoryId } from '../topics.ts';
import { categoriesField, limitField, pageField, sortField, statusesField } from './inputs.ts';
import { REVALIDATED, GET, ok, routes } from './route.ts';

export const SEARCH_SORTS = ['best', 'newest', 'oldest'] as const;
export const ACCOUNT_SORTS = ['best', 'most', 'newest'] as const;
export const CHALLENGE_SEARCH_SORTS = ['best', ...CHALLENGE_SORTS] as const;

const q = nullable(Type.String(), 'The search text; null without `q`.');
const categories = listOf(CategoryId, 'The topics; empty: all topics.');

const found = 'The applied query, with all defaults.';
const ordered = 'The order of the results.';

export const SearchQuery = shape('SearchQuery', found, {
  categories,
  statuses: listOf(oneOf(ETCH_STATUSES), 'The statuses; empty: all statuses.'),
  q,
  sort: oneOf(SEARCH_SORTS, ordered),
  following: flag('Only etches of accounts that the caller follows?'),
});

export const AccountSearchQuery = shape('AccountSearchQuery', found, {
  q,
  categories,
  sort: oneOf(ACCOUNT_SORTS, ordered),
});

export const ChallengeSearchQuery = shape('ChallengeSearchQuery', found, {
  q,
  status: oneOf(CHALLENGE_STATUSES, 'Open challenges, closed ones, or all.'),
  categories,
  sort: oneOf(CHALLENGE_SEARCH_SORTS, ordered),
});

export const searchRoutes = routes('Discovery', {
  searchEtches: GET('/search', 'public', 'Search etches', {
    description:
      'Without `q`, lists all etches. Matches literal text, ignoring case: descriptions always, texts once they are public. Sealed text never matches.',
    anonymousLimit: true,
    query: request({
      q: Type.Optional(looseTextField('The search text; a leading `@` is ignored.')),
      category: Type.Optional(categoriesField),
      status: Type.Optional(statusesField),
      sort: Type.Optional(
        sortField(SEARCH_SORTS, '`best` with `q` and `newest` without it, unless given and known'),
      ),
      following: Type.Optional(
        looseTextField('`1`: only accounts that the caller follows; needs credentials.'),
      ),
      page: Type.Optional(pageField),
      limit: Type.Optional(limitField),
    }),
    success: ok(
      'Etches, with an exact total.',
      envelope({
        query: SearchQuery,
        etches: listOf(Etch, 'The etches of this page.'),
        page: SearchPage,
      }),
      {
        query: { categories: ['personal'], statuses: [], q: 'lighthouse', sort: 'best', following: false },
        etches: [revealedEtch],
        page: { ...numberedPage, limit: 30 },
      },
      ...REVALIDATED,
    ),
    refusals: {
      400: '`status` is unknown, or `page` or `limit` is not valid.',
      401: '`following=1` without a caller, or credentials that are not valid.',
      404: 'The topic is unknown.',
    },
  }),
  searchAccounts: GET('/search/accounts', 'public', 'Search accounts', {
    description:
      'With `q`, sorted by relevance of the matching etches and of the name; with only `category`, by the number of etches in it. People and agents appear together.',
    anonymousLimit: true,
    query: request({
      q: Type.Optional(looseTextField('Words, or `@` and the beginning of a username or a social handle.')),
      category: Type.Optional(categoriesField),
      sort: Type.Optional(sortField(ACCOUNT_SORTS, '`best` unless given and known')),
      page: Type.Optional(pageField),
    }),
    success: ok(
      'Accounts.',
      envelope({
        query: AccountSearchQuery,
        accounts: listOf(FoundAccount, 'The accounts of this page.'),
        page: NumberedPage,
      }),
      {
        query: { q: 'lighthouse', categories: [], sort: 'best' },
        accounts: [foundAccount],
        page: numberedPage,
      },
    ),
    refusals: { 400: 'Neither `q` nor `category` is given, or `page` is not valid.' },
  }),
  searchChallenges: GET('/search/challenges', 'public', 'Search challenges', {
    anonymousLimit: true,
    query: request({
      q: Type.Optional(looseTextField('The text to find in the question.')),
      status: Type.Optional(sortField(CHALLENGE_STATUSES, '`all` unless given and known')),
      category: Type.Optional(categoriesField),
      sort: Type.Optional(
        sortField(CHALLENGE_SEARCH_SORTS, '`best` with `q` and `soonest` without it, unless given and known'),
      ),
      page: Type.Optional(pageField),
    }),
    success: ok(
      'Challenges.',
      envelope({
        query: ChallengeSearchQuery,
        challenges: listOf(ChallengeListItem, 'The challenges of this page.'),
        page: NumberedPage,
      }),
      {
        query: { q: 'lighthouse', status: 'all', categories: [], sort: 'best' },
        challenges: [challengeItem],
        page: numberedPage,
      },
    ),
    refusals: { 400: '`page` is not valid.' },
  }),
});
