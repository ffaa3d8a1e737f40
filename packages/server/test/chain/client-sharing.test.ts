// Runs without a database.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openChainClient } from '../../src/chain/client.ts';
import { EndpointFault, NodeError } from '../../src/chain/json-rpc.ts';
import { WrongChain } from '../../src/chain/port.ts';

type Node = (method: string) => Response | Promise<Response>;

const result = (value: unknown): Response => Response.json({ jsonrpc: '2.0', id: 1, result: value });
const error = (code: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', id: 1, error: { code, message } });
const honest: Node = (method) => result(method === 'eth_chainId' ? '0x7' : '0x1');
const tooMuch = (retryAfter?: string): Response =>
  new Response('slow down', { status: 429, headers: retryAfter ? { 'retry-after': retryAfter } : {} });

function network(nodes: Record<string, Node>) {
  const asked: Record<string, string[]> = Object.fromEntries(Object.keys(nodes).map((name) => [name, []]));
  const fetch = (async (input: URL, init: RequestInit) => {
    const { method } = JSON.parse(init.body as string) as { method: string };
    asked[input.hostname]!.push(method);
    return nodes[input.hostname]!(method);
  }) as unknown as typeof globalThis.fetch;
  return { asked, fetch };
}
const url = (name: string) => `http://${name}/`;
const fails: Node = () => Promise.reject(new TypeError('fetch failed'));
const block = (rpc: ReturnType<typeof openChainClient>['readers']) =>
  rpc.request('eth_blockNumber', [], (answer) => answer);

describe('callers of one client', () => {
  it('skip an endpoint that another caller found down', async () => {
    const { asked, fetch } = network({ bad: fails, good: honest });
    const client = openChainClient({ urls: [url('bad'), url('good')], fetch });
    expect(await block(client.anchoring)).toBe('0x1');
    const before = asked['bad']!.length;
    expect(await block(client.readers)).toBe('0x1');
    expect(asked['bad']).toHaveLength(before);
  });

  it('check the chain id once', async () => {
    const { asked, fetch } = network({ node: honest });
    const client = openChainClient({ urls: [url('node')], fetch });
    await Promise.all([block(client.anchoring), block(client.readers), block(client.readers)]);
    expect(asked['node']!.filter((method) => method === 'eth_chainId')).toHaveLength(1);
    expect(await client.readers.chainId()).toBe(7);
    expect(asked['node']).toHaveLength(4);
  });

  it('do not take the chain id of an endpoint for readers', async () => {
    const other: Node = (method) => result(method === 'eth_chainId' ? '0x8' : '0x2');
    const { fetch } = network({ node: honest, other });
    const client = openChainClient({ urls: [url('node')], readUrls: [url('other')], fetch });
    await expect(block(client.readers)).rejects.toBeInstanceOf(WrongChain);
    expect(await block(client.anchoring)).toBe('0x1');
    const { fetch: failing } = network({ none: fails, other });
    const away = openChainClient({ urls: [url('none')], readUrls: [url('other')], fetch: failing });
    await expect(block(away.readers)).rejects.toBeInstanceOf(EndpointFault);
  });

  it('use the readers’ endpoints for reads only', async () => {
    const { asked, fetch } = network({ node: honest, mirror: honest });
    const client = openChainClient({ urls: [url('node')], readUrls: [url('mirror')], chainId: 7, fetch });
    await block(client.readers);
    expect(asked['mirror']).toContain('eth_blockNumber');
    expect(asked['node']).not.toContain('eth_blockNumber');
  });
});

describe('an overloaded endpoint', () => {
  afterEach(() => void vi.useRealTimers());
  it.each([
    ['status 429', () => tooMuch()],
    ['an error of JSON-RPC', () => error(-32005, 'daily request count exceeded, request rate limited')],
    ['a message alone', () => error(-32000, 'Too Many Requests: your plan allows 10 per second')],
  ])('is skipped by readers but not by anchoring, after %s', async (_, complaint) => {
    vi.useFakeTimers({ toFake: ['performance'] });
    let isBusy = true;
    const { asked, fetch } = network({ node: (method) => (isBusy ? complaint() : honest(method)) });
    const client = openChainClient({ urls: [url('node')], fetch, chainId: 7 });
    await expect(block(client.readers)).rejects.toMatchObject({ kind: 'busy' });
    isBusy = false;
    const before = asked['node']!.length;
    for (let reader = 0; reader < 20; reader++)
      await expect(block(client.readers)).rejects.toMatchObject({ kind: 'busy' });
    expect(asked['node']).toHaveLength(before);
    expect(await block(client.anchoring)).toBe('0x1');
    vi.advanceTimersByTime(60_000);
    expect(await block(client.readers)).toBe('0x1');
  });

  it('is retried by anchoring after its Retry-After', async () => {
    let left = 2;
    const { asked, fetch } = network({ node: (method) => (left-- > 0 ? tooMuch('0') : honest(method)) });
    const client = openChainClient({ urls: [url('node')], fetch });
    expect(await block(client.anchoring)).toBe('0x1');
    expect(asked['node']).toEqual(['eth_chainId', 'eth_chainId', 'eth_chainId', 'eth_blockNumber']);
  });

  it('differs from an endpoint that limits the number of logs', async () => {
    const limited = error(-32005, 'query returned more than 10000 results');
    const { fetch } = network({ node: (method) => (method === 'eth_chainId' ? honest(method) : limited) });
    const client = openChainClient({ urls: [url('node')], fetch });
    await expect(block(client.anchoring)).rejects.toBeInstanceOf(NodeError);
  });
});

it('does not mark an endpoint down after a reader’s slow request', async () => {
  const large: Node = (method) => result(method === 'eth_getLogs' ? 'x'.repeat(2_000_000) : '0x7');
  const { asked, fetch } = network({ first: large, second: honest });
  const client = openChainClient({ urls: [url('first'), url('second')], fetch, chainId: 7 });
  expect(await client.readers.request('eth_getLogs', [], (answer) => answer)).toBe('0x1');
  const before = asked['second']!.length;
  expect(await block(client.anchoring)).toBe('0x7');
  expect(asked['second']).toHaveLength(before);
});

it('limits the number of concurrent reads', async () => {
  let [at, most] = [0, 0];
  const { fetch } = network({
    node: async (method) => {
      most = Math.max(most, ++at);
      await new Promise((resolve) => setTimeout(resolve, 5));
      at--;
      return honest(method);
    },
  });
  const client = openChainClient({ urls: [url('node')], fetch });
  const answers = await Promise.allSettled(Array.from({ length: 400 }, () => block(client.readers)));
  expect(most).toBeLessThanOrEqual(32);
  const refused = answers.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(400 - 32 - 256);
  expect(await block(client.anchoring)).toBe('0x1');
});
