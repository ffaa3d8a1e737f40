import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, test } from 'vitest';
import { breakOff, startFaultServer } from '../../../testing/clients/fault-server.ts';
import { newFolder } from '../../../testing/machine/folder.ts';
import { text, toolsOf } from './support/tools.ts';

const bin = join(import.meta.dirname, '../bin/svc-mcp.mjs');

test('an etch of which nobody knows whether it was made answers the key to repeat it with', async () => {
  const server = await startFaultServer();
  const client = new Client({ name: 'test', version: '1.0.0' });
  try {
    server.fates = [breakOff];
    const env = {
      PATH: process.env['PATH']!,
      XDG_CONFIG_HOME: newFolder('config'),
      SVC_BASE_URL: server.url,
      SVC_API_KEY: 'svc_sk_test',
    };
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [bin], env }));
    const { refusal } = await toolsOf(client);
    const { code, hint, idempotency_key: key } = await refusal('etch', text);
    expect({ code, key }).toEqual({ code: 'no_answer', key: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(hint).toContain('repeat the same call with this idempotency_key');
    const keys = () => new Set(server.seen.map(({ headers }) => headers['idempotency-key']));
    expect(keys()).toEqual(new Set([key]));
    server.seen.length = 0;
    await refusal('etch', { ...text, idempotency_key: key });
    expect(keys()).toEqual(new Set([key]));
  } finally {
    await client.close();
    await server.close();
  }
}, 60_000);
