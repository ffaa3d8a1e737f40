// What the page for agents says to paste into each client, as a service shows it: every address and every command serves the tools.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { freshHome } from '../../../testing/clients/svc.ts';
import { root } from '../../../testing/repository.ts';
import { useSharedService } from '../../../testing/system/running-service.ts';

const service = useSharedService();
const PROGRAM = '/the/folder/node_modules/.bin/svc-mcp';

interface Entry {
  type?: string;
  url?: string;
  command?: string;
  env?: Record<string, string>;
}

let cells: string[][];
let block: Record<string, Record<string, Entry>>;
beforeAll(async () => {
  const page = await (await fetch(`${service.url}/docs/agents.md`)).text();
  const section = /^## In your client\n([^]*?)^## /m.exec(page)![1]!;
  cells = [...section.matchAll(/^\| (.+?) +\| (.+?) +\| (.+?) +\|$/gm)].map((row) => row.slice(1)).slice(2);
  block = JSON.parse(/```json\n([^]*?)```/.exec(section)![1]!);
});

async function toolsOf(transport: Transport): Promise<string[]> {
  const client = new Client({ name: 'almagest', version: '1.0.0' });
  await client.connect(transport);
  try {
    return (await client.listTools()).tools.map(({ name }) => name);
  } finally {
    await client.close();
  }
}

const overHttp = (url: string) => toolsOf(new StreamableHTTPClientTransport(new URL(url)));

const onThisMachine = ({ command, env = {} }: Entry) => {
  expect(command).toBe(PROGRAM);
  const home = freshHome();
  return toolsOf(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(root, 'packages/mcp/bin/svc-mcp.mjs')],
      env: { ...env, HOME: home, XDG_CONFIG_HOME: home },
    }),
  );
};

const codesOf = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);

test('five clients reach the tools of the service over HTTP', async () => {
  expect(cells.map(([name]) => name)).toEqual([
    'Claude Code',
    'Claude Desktop',
    'Cursor',
    'VS Code',
    'Codex',
  ]);
  for (const [name, http] of cells) {
    const urls = codesOf(http!).flatMap((code) => /https?:\/\/[^\s"]+/.exec(code)?.[0] ?? []);
    expect(urls, name).toEqual([`${service.url}/mcp`]);
  }
  expect(await overHttp(`${service.url}/mcp`)).toContain('etch');
  const json = (name: string) =>
    JSON.parse(codesOf(cells.find(([one]) => one === name)![1]!).find((code) => code.startsWith('{'))!);
  expect(json('Cursor')).toEqual({ mcpServers: { svc: { url: `${service.url}/mcp` } } });
  expect(json('VS Code')).toEqual({ servers: { svc: { type: 'http', url: `${service.url}/mcp` } } });
});

test('the program runs as the block and both command lines start it', async () => {
  const entries = [block['mcpServers']!['svc']!];
  for (const [, , local] of cells)
    for (const code of codesOf(local!).filter((one) => one.includes(' -- '))) {
      const [, name, value, command] = /^\w+ mcp add svc --env (\w+)=(\S+) -- (\S+)$/.exec(code)!;
      entries.push({ command: command!, env: { [name!]: value! } });
    }
  expect(entries).toHaveLength(3);
  expect(new Set(entries.map((entry) => JSON.stringify(entry))).size).toBe(1);
  expect(entries[0]!.env).toEqual({ SVC_BASE_URL: service.url });
  expect(await onThisMachine(entries[0]!)).toEqual(expect.arrayContaining(['etch', 'seal_blind', 'open']));
});
