import { findEtchId } from '../../find-id.ts';
import { changed } from '../../outputs.ts';
import { object } from '../../schema.ts';
import type { Session } from '../../session.ts';
import { readingTool } from '../../tool.ts';
import { splitEtch, WARNING } from '../../untrusted.ts';
import { etchName } from '../inputs.ts';

export const show = readingTool({
  name: 'show',
  title: 'Show an etch',
  description:
    'Returns the current state of an etch: its text if public, its status, and its place on the chain. It proves nothing; use verify.',
  input: { id: etchName },
  output: object(changed),
  run: ({ id }, session) => showEtch(id, session),
});

export async function showEtch(named: string, { client, settings }: Session) {
  const etch = await client.getEtch(await findEtchId(named, client));
  return { warning: WARNING, etch: splitEtch(etch, settings.drand) };
}
