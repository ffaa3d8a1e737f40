import { Limits } from '@svc/contract';
import { readingTool } from '../../tool.ts';

export const limits = readingTool({
  name: 'limits',
  title: 'Say what may still be etched',
  description:
    'How many etches the account has left now, how many come back each hour, and with what right it is here.',
  input: {},
  output: Limits,
  forAccount: true,
  run: async (_, { client }) => ({ ...(await client.limits()) }),
});
