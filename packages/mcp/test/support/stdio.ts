import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { createClient, generateKeyPair, type Trust } from '@svc/sdk';
import { afterEach } from 'vitest';
import { newFolder } from '../../../../testing/machine/folder.ts';
import { withProfile } from '../../src/profile.ts';
import { createMcpServer } from '../../src/server.ts';
import { readSettings } from '../../src/settings.ts';
import { toolsOf } from './tools.ts';

export const pinsOf = ({ chainId, contract, schemaUid, relayers }: Trust) => ({
  SVC_CHAIN_ID: String(chainId),
  SVC_ATTESTATION_CONTRACT: contract,
  SVC_SCHEMA_UID: schemaUid,
  SVC_RELAYERS: relayers.join(),
});

export const bin = join(import.meta.dirname, '../../bin/svc-mcp.mjs');

/** Each connection has its own home folder. */
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
  const connectBy = async (transport: Transport) => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(transport);
    connected.push(client);
    return { ...(await toolsOf(client)), transcript: transcriptOf(transport) };
  };
  return {
    environment,
    connect: (more: Record<string, string> = {}, args: readonly string[] = []) =>
      connectBy(
        new StdioClientTransport({
          command: process.execPath,
          args: [bin, ...args],
          stderr: 'pipe',
          env: environment(more),
        }),
      ),
    /** Starting the program costs more than most tests. */
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

/** All that the server sends or logs from now on. */
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
