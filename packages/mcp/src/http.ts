import { setImmediate as turn } from 'node:timers/promises';
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { createMcpServer, listTools } from './server.ts';
import type { Settings, Toolset } from './settings.ts';
import { toolsFor } from './tools/index.ts';

export interface McpRequest {
  body: unknown;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface McpAnswer {
  status: number;
  /** undefined when the request had only notifications */
  body: string | undefined;
}

/** A new server for each POST: without sessions, any process can answer any request. */
export async function answerMcp(
  settings: Omit<Settings, 'perRequest'>,
  { body, headers }: McpRequest,
): Promise<McpAnswer> {
  const request = new Request(`${settings.baseUrl}/mcp`, { method: 'POST', headers: headersFor(headers) });
  const make = () => createMcpServer({ ...settings, perRequest: true });
  const answer = await ((await isLegacyRequest(request, body)) ? answerEarlier : answerCurrent)(
    make,
    request,
    body,
  );
  // Serialization used this turn of the event loop.
  await turn();
  const { status, text } = answer;
  return { status, body: text === '' ? undefined : withTools(text, body, settings.toolsets) };
}

type Answering = (
  make: () => ReturnType<typeof createMcpServer>,
  request: Request,
  body: unknown,
) => Promise<{ status: number; text: string }>;

/** Revision 2026-07-28. No subscriptions, because nothing changes during a request. */
const answerCurrent: Answering = async (make, request, body) => {
  const handler = createMcpHandler(make, { legacy: 'reject', responseMode: 'json', maxSubscriptions: 0 });
  try {
    const answer = await handler.fetch(request, { parsedBody: body });
    return { status: answer.status, text: await answer.text() };
  } finally {
    await handler.close();
  }
};

/** Revisions up to 2025-11-25. */
const answerEarlier: Answering = async (make, request, body) => {
  const server = make();
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport);
    const answer = await transport.handleRequest(request, { parsedBody: body });
    return { status: answer.status, text: await answer.text() };
  } finally {
    await server.close();
  }
};

const NO_TOOLS = '"tools":[]';
const lists = new Map<string, string>();

/** The list of tools is constant and long, so it is serialized once. */
function withTools(answer: string, body: unknown, toolsets: readonly Toolset[] | undefined): string {
  if ((body as { method?: unknown } | null)?.method !== 'tools/list') return answer;
  // Quotes inside a string of the answer are escaped, so this cannot match there.
  return answer.replace(NO_TOOLS, () => {
    const name = String(toolsets);
    const list = lists.get(name) ?? `"tools":${JSON.stringify(listTools({ perRequest: true, toolsets }))}`;
    lists.set(name, list);
    return list;
  });
}

const FOR_ACCOUNT = new Set(
  toolsFor({ perRequest: true })
    .filter(({ forAccount }) => forAccount)
    .map(({ name }) => name),
);

/** The tool acts for an account, and the call has no API key. */
export function lacksAccount(body: unknown): boolean {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: unknown };
  if (method !== 'tools/call') return false;
  const { name, arguments: given } = (params ?? {}) as { name?: unknown; arguments?: { api_key?: unknown } };
  return FOR_ACCOUNT.has(name as string) && given?.api_key === undefined;
}

const headersFor = (given: McpRequest['headers']): Record<string, string> => ({
  'content-type': 'application/json',
  // The transport requires both types.
  accept: 'application/json, text/event-stream',
  ...Object.fromEntries(
    Object.entries(given)
      .filter(([name]) => name.startsWith('mcp-'))
      .map(([name, value]) => [name, String(value)]),
  ),
});
