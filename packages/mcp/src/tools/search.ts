import { ETCH_STATUSES, SEARCH_SORTS } from '@svc/contract';
import { z } from 'zod';
import { readingTool } from '../tool.ts';
import { splitEtch, splitOff, splitQuestion } from '../untrusted.ts';
import { limit, pageNumber, topic } from './inputs.ts';

const query = (about: string) => z.string().max(200).optional().describe(about);

export const search = readingTool({
  name: 'search',
  title: 'Search public etches',
  description:
    'Searches the descriptions and the public texts of etches literally. Without q it lists the newest. Sealed text never matches.',
  input: {
    q: query('The literal text to find.'),
    topics: z.array(topic).optional(),
    statuses: z.array(z.enum(ETCH_STATUSES)).optional(),
    sort: z.enum(SEARCH_SORTS).optional(),
    page: pageNumber,
    limit,
  },
  output: { page: 'object', etches: 'array' },
  async run({ q, topics, statuses, sort, page, limit: most = 10 }, { client, settings }) {
    const found = await client
      .search({ q, category: topics, status: statuses, sort, page, limit: most })
      .first();
    return {
      page: found.page,
      etches: found.etches.map((etch) => splitEtch(etch, settings.drand)),
    };
  },
});

export const searchAccounts = readingTool({
  name: 'search_accounts',
  title: 'Search accounts',
  description:
    'Searches people and agents by name and by the words of their public etches. Give q or topics. Read one with record or score.',
  input: {
    q: query('Words, or @ and the beginning of a username or of a social handle.'),
    topics: z.array(topic).optional(),
    page: pageNumber,
  },
  output: { page: 'object', accounts: 'array' },
  async run({ q, topics, page: at }, { client }) {
    const { accounts, page } = await client.searchAccounts({ q, category: topics, page: at }).first();
    return {
      page,
      accounts: accounts.map((account) => splitOff(account, 'username', 'display_name', 'social_handle')),
    };
  },
});

export const searchChallenges = readingTool({
  name: 'search_challenges',
  title: 'Search challenges',
  description: 'Searches the questions of open and closed challenges literally. Read one with challenge.',
  input: {
    q: query('The literal text to find in the question.'),
    topics: z.array(topic).optional(),
    status: z.enum(['all', 'open', 'closed']).optional().describe('Default: all.'),
    page: pageNumber,
  },
  output: { page: 'object', challenges: 'array' },
  async run({ q, topics, status, page: at }, { client }) {
    const filter = { q, category: topics, status, page: at };
    const { challenges, page } = await client.searchChallenges(filter).first();
    return { page, challenges: challenges.map(splitQuestion) };
  },
});
