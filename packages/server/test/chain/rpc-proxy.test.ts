// Runs without a database.
import { beforeAll, describe, expect, it } from 'vitest';
import { openChainClient } from '../../src/chain/client.ts';
import { encodeGetAttestation } from '@svc/verifier';
import type { Receipt } from '../../src/chain/port.ts';
import { createRpcProxy, MAX_BATCH, MAX_LOG_RANGE } from '../../src/chain/rpc-proxy.ts';
import { useDevnet } from '../../../../testing/chain/devnet.ts';
import { request, transact } from './transactions.ts';

const secret = 'pr0vider-key';
const silent = `http://user:${secret}@127.0.0.1:1/${secret}`;
const devnet = useDevnet();
let receipt: Receipt;
let asked: { method: string; params: unknown[] }[] = [];
let handle: ReturnType<typeof createRpcProxy>;

const counting: typeof fetch = (input, init) => {
  asked.push(JSON.parse(init?.body as string) as { method: string; params: unknown[] });
  return fetch(input, init);
};
const proxyTo = (urls: string[], more: { fetch?: typeof fetch } = {}) => {
  const { readers: rpc } = openChainClient({ urls, timeoutMs: 2_000, ...more });
  return createRpcProxy({ rpc, contract: devnet.contract });
};
const call = (method: string, params?: unknown, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params === undefined ? {} : { params }),
});
const errorOf = async (body: unknown) => {
  const answer = await handle(body);
  expect(answer.status).toBe(200);
  return (answer.body as { error: { code: number; message: string } }).error;
};

beforeAll(async () => {
  const chain = devnet.chain();
  receipt = await transact(chain, chain.encodeAttest([request()]));
  handle = proxyTo([devnet.rpcUrl], { fetch: counting });
});

describe('the read-only proxy', () => {
  it('serves the methods for reading an attestation as the node does', async () => {
    const block = `0x${receipt.blockNumber.toString(16)}`;
    const data = encodeGetAttestation(receipt.logs[0]!.uid);
    for (const [method, ...params] of [
      ['eth_chainId'],
      ['net_version'],
      ['eth_blockNumber'],
      ['eth_getBlockByNumber', 'latest', false],
      ['eth_getBlockByNumber', block, false],
      ['eth_getTransactionReceipt', receipt.txHash],
      ['eth_getTransactionByHash', receipt.txHash],
      ['eth_call', { to: devnet.contract, data }, 'latest'],
      ['eth_getLogs', { address: devnet.contract, fromBlock: '0x0', toBlock: block }],
      ['eth_getLogs', { address: devnet.contract, blockHash: receipt.blockHash }],
    ] as [string, ...unknown[]][]) {
      const answer = await handle(call(method, params, 'id'));
      const result = await devnet.rpc(method, ...params);
      expect(result).not.toBeNull();
      expect(answer).toEqual({ status: 200, body: { jsonrpc: '2.0', id: 'id', result } });
    }
  });

  it('reports a reverted call without details', async () => {
    const error = await errorOf(call('eth_call', [{ to: devnet.contract, data: '0x12345678' }, 'latest']));
    expect(error).toEqual({ code: 3, message: 'execution reverted' });
  });

  it.each([
    'eth_sendRawTransaction',
    'eth_sendTransaction',
    'eth_accounts',
    'eth_getStorageAt',
    'evm_mine',
    'anvil_setBalance',
    'anvil_dumpState',
    'debug_traceTransaction',
    'eth_newFilter',
    'constructor',
    '__proto__',
  ])('rejects %s', async (method) => {
    asked = [];
    expect(await errorOf(call(method, []))).toMatchObject({ code: -32601 });
    expect(asked).toEqual([]);
  });

  it('forwards only known parameters', async () => {
    asked = [];
    const other = `0x${'11'.repeat(20)}`;
    const { contract } = devnet;
    for (const [method, ...params] of [
      ['eth_call', { to: other, data: '0x' }, 'latest'],
      ['eth_call', { data: '0x' }, 'latest'],
      ['eth_call', { to: contract, data: `0x${'00'.repeat(2_000)}` }, 'latest'],
      ['eth_call', { to: contract, data: 'ff' }, 'latest'],
      ['eth_call', { to: contract, data: '0x' }, 'pending'],
      ['eth_call'],
      ['eth_getBlockByNumber', 'latest', true],
      ['eth_getBlockByNumber', `0x${'f'.repeat(20)}`, false],
      ['eth_getTransactionReceipt', '0x12'],
      ['eth_getTransactionByHash', null],
      ['eth_getLogs', { fromBlock: '0x0', toBlock: '0x1' }],
      ['eth_getLogs', { address: [contract, other], fromBlock: '0x0', toBlock: '0x1' }],
      ['eth_getLogs', { address: contract }],
      ['eth_getLogs', { address: contract, fromBlock: '0x0', toBlock: 'latest' }],
      ['eth_getLogs', { address: contract, fromBlock: '0x2', toBlock: '0x1' }],
      ['eth_getLogs', { address: contract, fromBlock: '0x0', toBlock: `0x${MAX_LOG_RANGE.toString(16)}` }],
      ['eth_getLogs', { address: contract, fromBlock: '0x0', toBlock: '0x1', topics: ['0x1'] }],
    ] as [string, ...unknown[]][]) {
      expect(await errorOf(call(method, params))).toMatchObject({ code: -32602 });
    }
    expect(asked).toEqual([]);
    const call_ = { to: contract, data: '0xb8b5f60a', from: other, gas: '0xffffffffff' };
    await handle(call('eth_call', [call_, 'latest', { [other]: { balance: '0x1' } }]));
    expect(asked.at(-1)?.params).toEqual([{ to: contract, data: '0xb8b5f60a' }, 'latest']);
  });

  it.each([
    null,
    7,
    'x',
    {},
    { jsonrpc: '1.0', id: 1, method: 'eth_chainId' },
    { jsonrpc: '2.0', id: {}, method: 'eth_chainId' },
  ])('rejects %j as an invalid request', async (body) => {
    expect(await errorOf(body)).toMatchObject({ code: -32600 });
  });

  it('accepts batches of limited size and answers each request', async () => {
    const answer = await handle([call('eth_chainId', [], 1), call('eth_accounts', [], 2), 5]);
    expect(answer.body).toEqual([
      { jsonrpc: '2.0', id: 1, result: '0x7a69' },
      { jsonrpc: '2.0', id: 2, error: expect.objectContaining({ code: -32601 }) },
      { jsonrpc: '2.0', id: null, error: expect.objectContaining({ code: -32600 }) },
    ]);
    expect(await errorOf([])).toMatchObject({ code: -32600 });
    const full = Array.from({ length: MAX_BATCH }, (_, id) => call('eth_chainId', [], id));
    expect((await handle(full)).body).toHaveLength(MAX_BATCH);
    expect(await errorOf([...full, full[0]])).toMatchObject({ code: -32600 });
  });

  it('gives notifications no answer', async () => {
    expect(await handle({ jsonrpc: '2.0', method: 'eth_chainId' })).toEqual({ status: 204, body: undefined });
  });

  it('shares equal requests', async () => {
    asked = [];
    const { txHash } = receipt;
    const same = Array.from({ length: 10 }, (_, id) => call('eth_getTransactionReceipt', [txHash], id));
    const answers = (await handle(same)).body as { id: number; result: { blockHash: string } }[];
    expect(answers.map((answer) => answer.id)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(new Set(answers.map((answer) => answer.result.blockHash))).toEqual(new Set([receipt.blockHash]));
    expect(asked).toHaveLength(1);
    await handle(same[0]);
    expect(asked).toHaveLength(2);
  });

  it('tries the next endpoint and reveals nothing about any', async () => {
    const next = await proxyTo([silent, devnet.rpcUrl])(call('eth_chainId'));
    expect(next.body).toMatchObject({ result: '0x7a69' });
    const error = { code: -32002, message: 'the chain cannot be reached' };
    const down = { status: 200, body: { jsonrpc: '2.0', id: 1, error } };
    expect(await proxyTo([silent])(call('eth_chainId'))).toEqual(down);
    const leaking: typeof fetch = () =>
      Promise.resolve(Response.json({ error: { code: -32000, message: `key ${secret} is over its limit` } }));
    const answer = await proxyTo([silent], { fetch: leaking })(call('eth_chainId'));
    expect(JSON.stringify(answer)).not.toContain(secret);
  });

  it('limits the size of an answer', async () => {
    let size = 1_000_000;
    const wordy: typeof fetch = async (input, init) => {
      const { method } = JSON.parse(init?.body as string) as { method: string };
      if (method === 'eth_chainId') return fetch(input, init);
      return Response.json({ jsonrpc: '2.0', id: 1, result: 'x'.repeat(size) });
    };
    const one = proxyTo([devnet.rpcUrl], { fetch: wordy });
    const ask = async () => (await one(call('eth_getTransactionReceipt', [receipt.txHash]))).body;
    expect(await ask()).toMatchObject({ result: expect.any(String) });
    size *= 2;
    expect(await ask()).toMatchObject({ error: { code: -32002 } });
  });
});
