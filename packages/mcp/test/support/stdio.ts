import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { createClient, generateKeyPair } from '@svc/sdk';
import { afterEach } from 'vitest';
import { newFolder } from '../../../../testing/machine/folder.ts';
import { withProfile } from '../../src/profile.ts';
import { createMcpServer } from '../../src/server.ts';
import { readSettings } from '../../src/settings.ts';
import { toolsOf } from './tools.ts';

export const bin = join(import.meta.dirname, '../../bin/svc-mcp.mjs');

/** Connections to the server, each with a home of its own; they end with the test. */
export function useStdio(service: { readonly url: string }) {
  const connected: Client[] = [];
  afterEach(async () => {
    for (const client of connected.splice(0)) await client.close();
  });
  const environment = (more: Record<string, string> = {}) => ({
    PATH: process.env['PATH']!,
    SVC_BASE_URL: service.url,
    XDG_CONFIG_HOME: more['XDG_CONFIG_HOME'] ?? newFolder('config'),
    ...more,
  });
  /** By the official client. */
  const connectBy = async (transport: Transport) => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(transport);
    connected.push(client);
    return { ...(await toolsOf(client)), transcript: transcriptOf(transport) };
  };
  return {
    environment,
    /** To the program, as agents start it. */
    connect: (more: Record<string, string> = {}, args: readonly string[] = []) =>
      connectBy(
        new StdioClientTransport({
          ...{ command: process.execPath, args: [bin, ...args], stderr: 'pipe' },
          env: environment(more),
        }),
      ),
    /** To what the program serves, in this process: starting it costs more than what most tests ask of it. */
    connectHere: async (more: Record<string, string> = {}) => {
      const env = environment(more);
      const [ours, theirs] = InMemoryTransport.createLinkedPair();
      await createMcpServer(withProfile(readSettings(env), env)).connect(theirs);
      return connectBy(ours);
    },
    newAccount: async (): Promise<{ SVC_API_KEY: string; SVC_SECRET_KEY: string }> => {
      const keyPair = generateKeyPair();
      const { apiKey } = await createClient({ baseUrl: service.url }).registerAgent(keyPair);
      return { SVC_API_KEY: apiKey, SVC_SECRET_KEY: keyPair.secretKey };
    },
  };
}

/** All that the server says on this connection from now on, and what it logs: what a model, or who reads along, may see. */
function transcriptOf(transport: Transport): () => string {
  const said: string[] = [];
  const receive = transport.onmessage!.bind(transport);
  transport.onmessage = (message) => {
    said.push(JSON.stringify(message));
    receive(message);
  };
  if (transport instanceof StdioClientTransport)
    transport.stderr?.on('data', (chunk) => said.push(String(chunk)));
  return () => said.join('\n');
}
