import type {
  ChallengeListItem,
  Etch,
  FoundAccount,
  NumberedPage,
  SearchPage as EtchSearchPage,
} from '@svc/contract';

import type { ListOutcomes } from './outcome.ts';

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
      accounts: readonly FoundAccount[] | null;
      page: NumberedPage;
    }
  | {
      among: 'challenges';
      query: { q: string | null; sort: string; categories: readonly string[]; status: string };
      challenges: readonly ChallengeListItem[];
      page: NumberedPage;
    };

export type TabCounts = Readonly<Record<SearchData['among'], { count: number; more: boolean }>>;

export interface SearchBeside {
  tabs?: TabCounts | undefined;
  outcomes?: ListOutcomes | undefined;
}

export const LISTS = [
  { among: 'etches', label: 'Etches', unit: 'etch' },
  { among: 'accounts', label: 'Accounts', unit: 'account' },
  { among: 'challenges', label: 'Challenges', unit: 'challenge' },
] as const;

export const STATUSES = [
  { value: 'revealed', label: 'Public' },
  { value: 'sealed', label: 'Sealed' },
  { value: 'retracted', label: 'Retracted' },
] as const;

export function valuesOf(data: SearchData) {
  const { q, sort, categories } = data.query;
  const status =
    data.among === 'etches' ? data.query.statuses : data.among === 'challenges' ? data.query.status : null;
  return { in: data.among, q, sort, category: categories, status };
}
