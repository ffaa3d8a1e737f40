import { Limits } from '@svc/contract';
import { readingTool } from '../../tool.ts';

export const limits = readingTool({
  name: 'limits',
  title: 'Read the limits of the account',
  description:
    'Returns how many etches the account has left, how many are added each hour, and the account’s kind, assurance and credential.',
  input: {},
  output: Limits,
  forAccount: true,
  run: async (_, { client }) => ({ ...(await client.limits()) }),
});
