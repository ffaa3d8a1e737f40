import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { keccak256 } from 'viem';
import type { Json } from '../json.ts';
import { ATTESTED } from './attestations.ts';
import type { Pass, Rule } from './rpc-gate.ts';

const someHash = (): string => `0x${randomBytes(32).toString('hex')}`;

function staleHead(): Rule {
  let stale: Json;
  return async ({ method, params }, pass) => {
    stale ??= await pass('eth_getBlockByNumber', ['latest', false]);
    if (method === 'eth_blockNumber') return { result: stale.number };
    if (method !== 'eth_getBlockByNumber') return undefined;
    if (['latest', 'safe', 'pending'].includes(String(params[0]))) return { result: stale };
    return Number(params[0]) > Number(stale.number) ? { result: null } : undefined;
  };
}

async function forgedReceipt(hash: unknown, pass: Pass, how: 'uid' | 'more' | 'block'): Promise<Json> {
  const receipt = await pass('eth_getTransactionReceipt', [hash]);
  if (receipt === null) return null;
  if (how === 'block') return { ...receipt, blockHash: someHash() };
  const logs = (receipt.logs as Json[]).filter((log) => log.topics[0] === ATTESTED);
  const forged = logs.map((log) => ({ ...log, data: someHash() }));
  return { ...receipt, logs: how === 'uid' ? forged : [...receipt.logs, ...forged] };
}

async function inventedReceipt(hash: unknown, pass: Pass): Promise<Json> {
  const block = await pass('eth_getBlockByNumber', ['latest', false]);
  return {
    transactionHash: hash,
    blockNumber: block.number,
    blockHash: block.hash,
    status: '0x1',
    logs: [],
  };
}

function answering(method: string, answer: (params: Json[], pass: Pass) => Promise<unknown>): Rule {
  return async (request, pass) =>
    request.method === method ? { result: await answer(request.params, pass) } : undefined;
}

/** Some rules have state, so each call makes a new one. */
export const LIES: Readonly<Record<string, () => Rule>> = {
  'no receipts': () => answering('eth_getTransactionReceipt', async () => null),
  'a stale head': staleHead,
  'another chain id': () => answering('eth_chainId', async () => '0x1'),
  'forged uids in logs': () =>
    answering('eth_getTransactionReceipt', ([hash], pass) => forgedReceipt(hash, pass, 'uid')),
  'forged logs beside the true ones': () =>
    answering('eth_getTransactionReceipt', ([hash], pass) => forgedReceipt(hash, pass, 'more')),
  'receipts of another block': () =>
    answering('eth_getTransactionReceipt', ([hash], pass) => forgedReceipt(hash, pass, 'block')),
  'invented receipts': () =>
    answering('eth_getTransactionReceipt', ([hash], pass) => inventedReceipt(hash, pass)),
  'attestations that are not there': () =>
    answering('eth_call', async ([call], pass) => {
      const answer = (await pass('eth_call', [call, 'latest'])) as string;
      return `0x${'0'.repeat(answer.length - 2)}`;
    }),
  'accepted, and an error told':
    () =>
    async ({ method, params }, pass) => {
      if (method !== 'eth_sendRawTransaction') return undefined;
      await pass(method, params).catch(() => undefined);
      return { error: { code: -32000, message: 'internal error' } };
    },
  'accepted, and no answer':
    () =>
    async ({ method, params }, pass) => {
      if (method !== 'eth_sendRawTransaction') return undefined;
      await pass(method, params).catch(() => undefined);
      throw new Error('cut');
    },
  'accepted, and forgotten': () =>
    answering('eth_sendRawTransaction', async ([raw]) => keccak256(raw as `0x${string}`)),
  'a nonce of long ago': () => answering('eth_getTransactionCount', async () => '0x0'),
  'a nonce of the future': () => answering('eth_getTransactionCount', async () => '0xffff'),
  slow: () => async () => {
    await sleep(20_000);
    return undefined;
  },
  garbage: () => () => ({ status: 200, bytes: '<html>Bad gateway</html>' }),
  'half an answer': () => () => ({ status: 200, bytes: '{"jsonrpc":"2.0","id":1,"resu' }),
  'wrong types': () => () => ({
    status: 200,
    bytes: '{"jsonrpc":"2.0","id":1,"result":{"number":[],"hash":7}}',
  }),
  'status 500': () => () => ({ status: 500, bytes: '' }),
};
