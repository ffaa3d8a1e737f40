import { ChallengeListItem, NumberedPage } from '@svc/contract';
import { z } from 'zod';
import { warning } from '../../outputs.ts';
import { fieldsOf, listOf, object, split } from '../../schema.ts';
import { readingTool } from '../../tool.ts';
import { splitQuestion, WARNING } from '../../untrusted.ts';
import { pageNumber, topic } from '../inputs.ts';

export const searchChallenges = readingTool({
  name: 'search_challenges',
  title: 'Search challenges',
  description: 'Searches the questions of open and closed challenges literally. Read one with challenge.',
  input: {
    q: z.string().max(200).optional().describe('The literal text to find in the question.'),
    topics: z.array(topic).optional(),
    status: z.enum(['all', 'open', 'closed']).optional().describe('Default: all.'),
    page: pageNumber,
  },
  output: object({
    warning,
    page: NumberedPage,
    challenges: listOf(split(fieldsOf(ChallengeListItem), 'question')),
  }),
  async run({ q, topics, status, page: at }, { client }) {
    const filter = { q, category: topics, status, page: at };
    const { challenges, page } = await client.searchChallenges(filter).first();
    return { warning: WARNING, page, challenges: challenges.map(splitQuestion) };
  },
});
