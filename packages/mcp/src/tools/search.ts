import { z } from 'zod';
import { tool } from '../tool.ts';
import { splitEtch, WARNING } from '../untrusted.ts';
import { topic } from './inputs.ts';

export const search = tool({
  name: 'search',
  title: 'Search public etches',
  description:
    'Literal search in public text. Without q the newest etches are listed. Sealed text never matches.',
  input: {
    q: z.string().max(200).optional().describe('What to look for, literally.'),
    topics: z.array(topic).optional(),
    statuses: z.array(z.enum(['sealed', 'revealed', 'retracted'])).optional(),
    sort: z.enum(['best', 'newest', 'oldest']).optional(),
    page: z.number().int().min(1).max(100_000).optional().describe('From 1.'),
    limit: z.number().int().min(1).max(50).optional().describe('10 unless told.'),
  },
  annotations: { readOnlyHint: true, openWorldHint: true },
  async run({ q, topics, statuses, sort, page, limit = 10 }, { client, settings }) {
    const found = await client.search({ q, category: topics, status: statuses, sort, page, limit }).first();
    return {
      warning: WARNING,
      page: found.page,
      etches: found.etches.map((etch) => splitEtch(etch, settings.drand)),
    };
  },
});
