import { z } from 'zod';
import { SearchPage } from '@svc/contract';
import { etchParts, warning } from '../../outputs.ts';
import { listOf, object } from '../../schema.ts';
import { readingTool } from '../../tool.ts';
import { splitEtch, WARNING } from '../../untrusted.ts';
import { limit, pageNumber, topic } from '../inputs.ts';

const output = object({ warning, page: SearchPage, etches: listOf(etchParts) });

export const search = readingTool({
  name: 'search',
  title: 'Search public etches',
  description:
    'Searches the descriptions and the public texts of etches literally. Without q it lists the newest. Sealed text never matches.',
  input: {
    q: z.string().max(200).optional().describe('The literal text to find.'),
    topics: z.array(topic).optional(),
    statuses: z.array(z.enum(['sealed', 'revealed', 'retracted'])).optional(),
    sort: z.enum(['best', 'newest', 'oldest']).optional(),
    page: pageNumber,
    limit,
  },
  output,
  async run({ q, topics, statuses, sort, page, limit: most = 10 }, { client, settings }) {
    const found = await client
      .search({ q, category: topics, status: statuses, sort, page, limit: most })
      .first();
    return {
      warning: WARNING,
      page: found.page,
      etches: found.etches.map((etch) => splitEtch(etch, settings.drand)),
    };
  },
});
