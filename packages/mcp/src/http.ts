import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { createMcpServer } from './server.ts';
import type { Settings } from './settings.ts';

/** One request of the streamable HTTP transport, its body parsed already. */
export interface McpRequest {
  body: unknown;
  protocolVersion: string | undefined;
}

export interface McpAnswer {
  status: number;
  /** JSON, or nothing when only notifications came */
  body: string | undefined;
}

/**
 * Answers one POST. Each has a server of its own that is gone afterwards: no session, nothing that must be found again on
 * another process, and nothing to push later, so that the answer is plain JSON and never a stream.
 */
export async function answerMcp(
  settings: Omit<Settings, 'perRequest'>,
  { body, protocolVersion }: McpRequest,
): Promise<McpAnswer> {
  const server = createMcpServer({ ...settings, perRequest: true });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport);
    const answer = await transport.handleRequest(
      new Request(`${settings.baseUrl}/mcp`, { method: 'POST', headers: headersFor(protocolVersion) }),
      { parsedBody: body },
    );
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : text };
  } finally {
    await server.close();
  }
}

const headersFor = (protocolVersion: string | undefined): Record<string, string> => ({
  'content-type': 'application/json',
  // Both have to be accepted by the letter; a client that names neither can read JSON all the same.
  accept: 'application/json, text/event-stream',
  ...(protocolVersion === undefined ? {} : { 'mcp-protocol-version': protocolVersion }),
});
