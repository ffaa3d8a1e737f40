import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, expect, test } from 'vitest';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { bin, useStdio } from './support/stdio.ts';
import { post, text } from './support/tools.ts';

// The other tests use a client of earlier revisions.
const service = useSharedService();
const { environment, newAccount } = useStdio(service);
const connected: Client[] = [];
afterEach(async () => {
  for (const client of connected.splice(0)) await client.close();
});

async function connect(account: Record<string, string>, how: 'stdio' | 'http') {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const authorization = `Bearer ${account['SVC_API_KEY']}`;
  await client.connect(
    how === 'http'
      ? new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
          requestInit: { headers: { authorization } },
        })
      : new StdioClientTransport({ command: process.execPath, args: [bin], env: environment(account) }),
  );
  connected.push(client);
  return client;
}

test.each(['stdio', 'http'] as const)(
  'a client of revision 2026-07-28 uses the tools over %s',
  async (how) => {
    const client = await connect(await newAccount(), how);
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(how === 'http' ? 25 : 27);
    const made = (await client.callTool({ name: 'etch', arguments: text })) as any;
    const { id, code } = made.structuredContent.etch.facts;
    const shown = (await client.callTool({ name: 'show', arguments: { id: code } })) as any;
    expect(shown.structuredContent.etch.facts.id).toBe(id);
    const [resource] = (await client.readResource({ uri: `${service.url}/e/${code}` })).contents as any;
    expect(JSON.parse(resource.text).etch.facts.id).toBe(id);
    expect((await client.listPrompts()).prompts).toHaveLength(3);
    await expect(client.callTool({ name: 'no_such_tool', arguments: {} })).rejects.toThrow('no_such_tool');
  },
);

test('a subscription is rejected at once, because nothing changes within a request', async () => {
  const meta = {
    protocolVersion: '2026-07-28',
    clientInfo: { name: 'test', version: '1' },
    clientCapabilities: {},
  };
  const _meta = Object.fromEntries(
    Object.entries(meta).map(([name, value]) => [`io.modelcontextprotocol/${name}`, value]),
  );
  const method = 'subscriptions/listen';
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method,
    params: { notifications: { toolsListChanged: true }, _meta },
  };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method };
  const answer = await post(`${service.url}/mcp`, body, headers);
  expect(await answer.json()).toMatchObject({ id: 1, error: { code: -32603 } });
});
