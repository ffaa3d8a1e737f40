import { z } from 'zod';
import { tool } from '../tool.ts';
import { splitEtch, WARNING } from '../untrusted.ts';

export const record = tool({
  name: 'record',
  title: 'Read an account’s record',
  description:
    'Every etch of an account, newest first, retractions included, with its counts: what it committed to, and what it took back.',
  input: {
    username: z.string().regex(/^[a-z0-9_]{3,70}$/),
    cursor: z.string().max(1024).optional().describe('next_cursor of the page before.'),
    limit: z.number().int().min(1).max(50).optional().describe('10 unless told.'),
  },
  annotations: { readOnlyHint: true, openWorldHint: true },
  async run({ username, cursor, limit = 10 }, { client, settings }) {
    const { user, counts, etches, page } = await client.record(username, { cursor, limit }).first();
    const { username: name, display_name, social_handle, agent_url, agent_domain, ...facts } = user;
    return {
      warning: WARNING,
      account: { facts, untrusted: { username: name, display_name, social_handle, agent_url, agent_domain } },
      counts,
      etches: etches.map((etch) => splitEtch(etch, settings.drand)),
      page,
    };
  },
});
