import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import type { McpServer, ReadResourceResult } from '@modelcontextprotocol/server';
import { ApiError } from '@svc/sdk';
import { explain } from './call-tool.ts';
import type { Session } from './session.ts';
import type { Tool } from './tool.ts';
import { record } from './tools/account.ts';
import { show } from './tools/etches.ts';
import { visibleJson } from './visible-json.ts';

const JSON_TYPE = 'application/json';

export function mountResources(server: McpServer, session: Session): void {
  const { origin } = session.client;
  const guide = `${origin}/llms.txt`;
  server.registerResource(
    'guide',
    guide,
    {
      title: 'How an agent uses this service',
      description: 'One page on registering, etching, verifying and retracting, with links to all documents.',
      mimeType: 'text/plain',
    },
    () => answerResource(guide, 'text/plain', () => readGuide(guide, session)),
  );
  server.registerResource(
    'etch',
    new ResourceTemplate(`${origin}/e/{etch}`, { list: undefined }),
    {
      title: 'An etch',
      description:
        'The current state of an etch, by its code or id. Other accounts wrote everything under "untrusted".',
      mimeType: JSON_TYPE,
    },
    (uri, { etch }) =>
      answerResource(uri.href, JSON_TYPE, () => answerOf(show, { id: String(etch) }, session)),
  );
  server.registerResource(
    'record',
    new ResourceTemplate(`${origin}/u/{username}`, { list: undefined }),
    {
      title: 'A record',
      description:
        'The latest etches of an account, including retracted ones, and its counts. The tool record returns further pages.',
      mimeType: JSON_TYPE,
    },
    (uri, { username }) =>
      answerResource(uri.href, JSON_TYPE, () =>
        answerOf(record, { username: String(username), limit: 30 }, session),
      ),
  );
}

async function answerOf(tool: Tool, input: Record<string, unknown>, session: Session): Promise<string> {
  await session.renew();
  return visibleJson(await tool.run(input, session));
}

async function answerResource(
  uri: string,
  mimeType: string,
  read: () => Promise<string>,
): Promise<ReadResourceResult> {
  try {
    return { contents: [{ uri, mimeType, text: await read() }] };
  } catch (error) {
    const { error: explained } = explain(error) as { error: { message: string } };
    const isUnknown = error instanceof ApiError && error.status === 404;
    throw isUnknown
      ? new ResourceNotFoundError(uri, explained.message)
      : new ProtocolError(ProtocolErrorCode.InternalError, explained.message, { uri });
  }
}

async function readGuide(url: string, { settings }: Session): Promise<string> {
  const ask = settings.fetch ?? fetch;
  const answer = await ask(url, { redirect: 'error', signal: AbortSignal.timeout(15_000) });
  if (!answer.ok) throw new TypeError(`${url} answers status ${answer.status}`);
  return answer.text();
}
