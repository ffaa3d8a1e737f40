import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { createClient, generateKeyPair } from '@svc/sdk';
import { afterEach } from 'vitest';
import { newFolder } from '../../../../testing/machine/folder.ts';
import { toolsOf } from './tools.ts';

export const bin = join(import.meta.dirname, '../../bin/svc-mcp.mjs');

/** Connections to the server as agents start it, each with a home of its own; they end with the test. */
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
  return {
    environment,
    /** The official client. */
    connect: async (more: Record<string, string> = {}) => {
      const client = new Client({ name: 'test', version: '1.0.0' });
      const transport = new StdioClientTransport({
        ...{ command: process.execPath, args: [bin], stderr: 'pipe' },
        env: environment(more),
      });
      await client.connect(transport);
      connected.push(client);
      return { ...(await toolsOf(client)), transcript: transcriptOf(transport) };
    },
    newAccount: async (): Promise<{ SVC_API_KEY: string; SVC_SECRET_KEY: string }> => {
      const keyPair = generateKeyPair();
      const { apiKey } = await createClient({ baseUrl: service.url }).registerAgent(keyPair);
      return { SVC_API_KEY: apiKey, SVC_SECRET_KEY: keyPair.secretKey };
    },
  };
}

/** All that the server says on this connection from now on, and what it logs: what a model, or who reads along, may see. */
function transcriptOf(transport: StdioClientTransport): () => string {
  const said: string[] = [];
  const receive = transport.onmessage!.bind(transport);
  transport.onmessage = (message) => {
    said.push(JSON.stringify(message));
    receive(message);
  };
  transport.stderr?.on('data', (chunk) => said.push(String(chunk)));
  return () => said.join('\n');
}
