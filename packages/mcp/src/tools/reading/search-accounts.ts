import { FoundAccount, NumberedPage } from '@svc/contract';
import { z } from 'zod';
import { warning } from '../../outputs.ts';
import { fieldsOf, listOf, object, split } from '../../schema.ts';
import { readingTool } from '../../tool.ts';
import { WARNING } from '../../untrusted.ts';
import { pageNumber, topic } from '../inputs.ts';

export const searchAccounts = readingTool({
  name: 'search_accounts',
  title: 'Search accounts',
  description:
    'Searches people and agents by name and by the words of their public etches. Give q or topics. Read one with record or score.',
  input: {
    q: z
      .string()
      .max(200)
      .optional()
      .describe('Words, or @ and the beginning of a username or of a social handle.'),
    topics: z.array(topic).optional(),
    page: pageNumber,
  },
  output: object({
    warning,
    page: NumberedPage,
    accounts: listOf(split(fieldsOf(FoundAccount), 'username', 'display_name', 'social_handle')),
  }),
  async run({ q, topics, page: at }, { client }) {
    const { accounts, page } = await client.searchAccounts({ q, category: topics, page: at }).first();
    return {
      warning: WARNING,
      page,
      accounts: accounts.map(({ username, display_name, social_handle, ...facts }) => ({
        facts,
        untrusted: { username, display_name, social_handle },
      })),
    };
  },
});
