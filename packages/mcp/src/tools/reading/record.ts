import { CursorPage } from '@svc/contract';
import { accountCounts, accountParts, etchParts, warning } from '../../outputs.ts';
import { listOf, object } from '../../schema.ts';
import type { Session } from '../../session.ts';
import { readingTool } from '../../tool.ts';
import { splitEtch, WARNING } from '../../untrusted.ts';
import { cursor, limit, username } from '../inputs.ts';

const output = object({
  warning,
  account: accountParts,
  counts: accountCounts,
  etches: listOf(etchParts),
  page: CursorPage,
});

export const record = readingTool({
  name: 'record',
  title: 'Read an account’s record',
  description: 'Returns all etches of an account, newest first and including retracted ones, with counts.',
  input: {
    username,
    cursor,
    limit,
  },
  output,
  run: ({ username, cursor, limit = 10 }, session) => readRecord(username, { cursor, limit }, session),
});

export async function readRecord(
  named: string,
  place: { cursor?: string | undefined; limit: number },
  { client, settings }: Session,
) {
  const { user, counts, etches, page } = await client.record(named, place).first();
  const { username, display_name, social_handle, agent_url, agent_domain, ...facts } = user;
  return {
    warning: WARNING,
    account: { facts, untrusted: { username, display_name, social_handle, agent_url, agent_domain } },
    counts,
    etches: etches.map((etch) => splitEtch(etch, settings.drand)),
    page,
  };
}
