import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startServer } from '../../../testing/machine/server.ts';
import { ChainUnreadable, rpcLogReader } from '../src/index.ts';
import type { LogReader } from '../src/index.ts';

const CONTRACT = `0x${'ab'.repeat(20)}`;
const ATTESTER = `0x${'cd'.repeat(20)}`;
const SCHEMA = `0x${'0e'.repeat(32)}`;
const TRUST = { chainId: 5, contract: CONTRACT, schemaUid: SCHEMA, relayers: [ATTESTER] };
const ATTESTED = '0x8bf46bf4cfd674fa735a3d63ec1c9ad4153f033c290341f3a588b75685141b35';
const uidOf = (block: number) => `0x${block.toString(16).padStart(64, '0')}`;
const word = (value: number | string) =>
  typeof value === 'number' ? value.toString(16).padStart(64, '0') : value.slice(2).padStart(64, '0');

const logOf = (block: number): Record<string, unknown> => ({
  address: CONTRACT,
  topics: [ATTESTED, `0x${'0'.repeat(64)}`, `0x${word(ATTESTER)}`, SCHEMA],
  data: uidOf(block),
  blockNumber: `0x${block.toString(16)}`,
});

const attestationOf = (uid: string) =>
  `0x${[0x20, uid, SCHEMA, 5, 0, 0, 0, 0, ATTESTER, 0, 0x140, 0].map(word).join('')}`;

/** Real providers differ in these. */
let provider: {
  blocks: number[];
  maxSpan: number;
  maxLogs: number;
  lists: boolean;
  busy: number;
  change: (log: Record<string, unknown>) => Record<string, unknown>;
};
let spans: number[];
let url: string;
let reader: LogReader;
let close: () => Promise<void>;

function answer(method: string, params: any[]): object {
  if (method === 'eth_chainId') return { result: '0x5' };
  if (method === 'eth_blockNumber') return { result: '0x186a0' };
  if (method === 'eth_call') {
    const { data } = params[0] as { data: string };
    return { result: attestationOf(`0x${data.slice(10)}`) };
  }
  const [from, to] = [Number(params[0].fromBlock), Number(params[0].toBlock)];
  spans.push(to - from + 1);
  const found = provider.blocks.filter((block) => block >= from && block <= to);
  if (to - from + 1 > provider.maxSpan || found.length > provider.maxLogs)
    return { error: { code: -32602, message: 'too many' } };
  return { result: found.map((block) => provider.change(logOf(block))) };
}

beforeEach(async () => {
  provider = { blocks: [], maxSpan: Infinity, maxLogs: Infinity, lists: true, busy: 0, change: (log) => log };
  spans = [];
  const server = await startServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      const sent = JSON.parse(body);
      if (provider.busy > 0) {
        provider.busy--;
        response.writeHead(429, { 'retry-after': '0' });
        return response.end('{"error":{"message":"slow down"}}');
      }
      const answers = (one: any) => ({ id: one.id, ...answer(one.method, one.params) });
      const refused = { error: { code: -32600, message: 'no lists' } };
      const many = () => (provider.lists ? sent.map(answers).reverse() : refused);
      response.end(JSON.stringify(Array.isArray(sent) ? many() : answers(sent)));
    });
  });
  ({ url, stop: close } = server);
  reader = rpcLogReader(TRUST, { urls: [url] });
});
afterEach(() => close());

async function readAll(from = 0, to = 100_000): Promise<number[]> {
  const found: number[] = [];
  let next = from;
  for await (const range of reader.attested(from, to)) {
    expect(range.from, 'no gap, no overlap').toBe(next);
    next = range.to + 1;
    found.push(...range.logs.map(({ block }) => block));
  }
  expect(next).toBe(to + 1);
  return found;
}

describe('ranges', () => {
  test('are as large as the endpoint allows', async () => {
    provider.blocks = [0, 9_999, 10_000, 55_555, 100_000];
    expect(await readAll()).toEqual(provider.blocks);
    expect(spans).toEqual([100_001]);
    provider.maxSpan = 10_000;
    expect(await readAll()).toEqual(provider.blocks);
    provider.maxSpan = 700;
    expect(await readAll()).toEqual(provider.blocks);
    expect(await readAll(55_555, 55_555)).toEqual([55_555]);
  });

  test('shrink where there are many attestations', async () => {
    provider.blocks = Array.from({ length: 300 }, (_, at) => 40_000 + at);
    provider.maxLogs = 20;
    expect(await readAll()).toEqual(provider.blocks);
  });

  test('end with an error when a single block is rejected: no block is skipped', async () => {
    provider.blocks = [500, 500];
    provider.maxLogs = 1;
    await expect(readAll(0, 1_000)).rejects.toThrow(ChainUnreadable);
  });
});

describe('faults', () => {
  test('retries a busy endpoint', async () => {
    provider.blocks = [7];
    provider.busy = 3;
    expect(await readAll()).toEqual([7]);
    expect(await reader.head()).toBe(100_000);
  });

  test('rejects logs outside the filter', async () => {
    provider.blocks = [7];
    const changes: Record<string, unknown>[] = [
      { address: `0x${'99'.repeat(20)}` },
      { topics: [ATTESTED] },
      { data: '0x' },
      { blockNumber: '0xffffffff' },
      { topics: [ATTESTED, `0x${'0'.repeat(64)}`, `0x${word(ATTESTER)}`, `0x${'77'.repeat(32)}`] },
    ];
    for (const change of changes) {
      provider.change = (log) => ({ ...log, ...change });
      await expect(readAll(), JSON.stringify(change)).rejects.toThrow(/returned a malformed answer/);
    }
    provider.change = (log) => ({ ...log, removed: true });
    expect(await readAll()).toEqual([]);
  });

  test('rejects an endpoint of a different chain', async () => {
    const other = rpcLogReader({ ...TRUST, chainId: 6 }, { urls: [url] });
    await expect(other.head()).rejects.toThrow(/is of chain 5, not 6/);
  });
});

describe('attestations', () => {
  const logs = Array.from({ length: 45 }, (_, at) => ({ uid: uidOf(at + 1), attester: ATTESTER, block: at }));

  test('are read in batches, or one by one where batches are rejected', async () => {
    for (provider.lists of [true, false]) {
      const found = await reader.attestations(logs);
      expect(found.map(({ uid }) => uid)).toEqual(logs.map(({ uid }) => uid));
    }
    expect(await reader.attestations([])).toEqual([]);
  });

  test('are rejected when they differ from their log', async () => {
    const stranger = { ...logs[0]!, attester: `0x${'99'.repeat(20)}` };
    await expect(reader.attestations([stranger])).rejects.toThrow(/a different attestation/);
  });
});
