import { overall } from '@svc/verifier';
import { provenBlocks } from '@svc/verifier/evidence';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Rule, type RpcGate, startRpcGate } from '../../../../../testing/chain/rpc-gate.ts';
import type { Json } from '../../../../../testing/json.ts';
import type { TestAgent } from '../../../../../testing/clients/agents.ts';
import { rpc as call } from '../../../../../testing/chain/json-rpc.ts';
import { anchorAmong, checkEvidence } from '../../../../../testing/service/evidence.ts';
import { useService } from '../../../../../testing/service/service.ts';
import { openChainClient } from '../../../src/chain/client.ts';
import { createProver } from '../../../src/proofs/evidence/prove.ts';

// These endpoints lack the methods that a proof needs, or answer falsely.
const service = useService({ chain: true });
let author: TestAgent;
let gate: RpcGate;
let id = '';
let now = 0;
const warned: object[] = [];
beforeAll(async () => {
  author = await service.registerAgent();
  gate = await startRpcGate(service.devnet.rpcUrl);
});
afterAll(() => gate.stop());

const rpc = (method: string, ...params: unknown[]) => call(service.devnet.rpcUrl, method, ...params);
const evidenceOf = async () => (await service.get(`/api/v1/etches/${id}/evidence`)).body;

const prove = (...urls: string[]) =>
  createProver({
    db: service.db,
    now: () => now,
    rpc: openChainClient({ urls, chainId: 31_337, timeoutMs: 2_000, recheckMs: 600_000 }).background,
    where: service.chain,
    log: { warn: (fields) => void warned.push(fields) },
  })();
const laterBy = (seconds: number) => (now += seconds * 1000);

async function proven(): Promise<void> {
  const file = await evidenceOf();
  expect(file).not.toHaveProperty('wait');
  expect(overall(await checkEvidence(service, file))).toBe('pass');
}

beforeEach(async () => {
  now = service.clock.now();
  gate.rule = undefined;
  warned.length = 0;
  ({ id } = await service.etch(author));
  await anchorAmong(service, 3);
  expect((await evidenceOf()).wait).toBe('the proof is being made');
});

type Answer = (params: Json[], truth: Json) => unknown;

const lying =
  (answers: Record<string, Answer>): Rule =>
  async ({ method, params }, pass) => {
    const lie = answers[method];
    return lie && { result: lie(params, await pass(method, params)) };
  };
const refusing =
  (...methods: string[]): Rule =>
  ({ method }) =>
    methods.includes(method)
      ? { error: { code: -32601, message: `the method ${method} does not exist` } }
      : undefined;

const firstLog = (receipts: Json[]) => receipts.findIndex(({ logs }) => logs.length > 0);
const changed = (change: (receipt: Json) => void) => (_: Json[], truth: Json) => {
  const receipts = structuredClone(truth) as Json[];
  change(receipts[firstLog(receipts)]);
  return receipts;
};

test.each<[string, Rule]>([
  ['has no such method', refusing('eth_getBlockReceipts')],
  ['shows none', lying({ eth_getBlockReceipts: () => null })],
  ['shows too few', lying({ eth_getBlockReceipts: (_, truth) => truth.slice(1) })],
  ['shows another log', lying({ eth_getBlockReceipts: changed(({ logs }) => (logs[0].data += '00')) })],
])('reads receipts one by one if an endpoint %s of the block', async (_, rule) => {
  gate.rule = rule;
  await prove(gate.url);
  await proven();
});

const wrongReceipt: Answer = (_, truth) => ({ ...truth, cumulativeGasUsed: '0x1' });
const NO_RECEIPTS = 'no endpoint of the service shows the receipts of its block';
const OTHER_ROOT =
  'the receipts that the endpoint of the service tells do not make the receipts root of its block';
const OTHER_HASH =
  'the hash of its block cannot be computed from what the endpoint of the service tells of it';
const header = (change: object | null): Rule =>
  lying({ eth_getBlockByHash: (_, truth) => change && { ...truth, ...change } });
const firstBlock: Rule = async ({ method }, pass) =>
  method === 'eth_getBlockByHash'
    ? { result: await pass('eth_getBlockByNumber', ['0x1', false]) }
    : undefined;
const UNKNOWN = { eth_getBlockReceipts: () => null, eth_getTransactionReceipt: () => null };
const WRONG = { eth_getBlockReceipts: () => [], eth_getTransactionReceipt: wrongReceipt };
const DOWN: Rule = () => ({ status: 502, bytes: '' });
const UNPROVEN: [string, Rule, string][] = [
  ['no receipts', refusing('eth_getBlockReceipts', 'eth_getTransactionReceipt'), NO_RECEIPTS],
  ['unknown receipts', lying(UNKNOWN), NO_RECEIPTS],
  ['receipts with another root', lying(WRONG), OTHER_ROOT],
  ['an unknown block', header(null), 'no endpoint of the service shows its block'],
  ['a header with another receipts root', header({ receiptsRoot: `0x${'12'.repeat(32)}` }), OTHER_HASH],
  ['a header without one field', header({ baseFeePerGas: undefined }), OTHER_HASH],
  ['another block, with its own hash', firstBlock, OTHER_HASH],
  ['nothing, because it is down', DOWN, 'no endpoint of the service can be reached'],
];

test.each(UNPROVEN)('waits with a reason and retries if an endpoint returns %s', async (_, rule, reason) => {
  gate.rule = rule;
  await prove(gate.url);
  expect(await evidenceOf()).toMatchObject({ commitment: null, tombstone: null, wait: reason });
  gate.rule = undefined;
  await prove(gate.url);
  expect((await evidenceOf()).wait).toBe(reason);
  laterBy(61);
  await prove(gate.url);
  await proven();
});

test('tries the next endpoint if one shows no receipts', async () => {
  gate.rule = refusing('eth_getBlockReceipts', 'eth_getTransactionReceipt');
  await prove(gate.url, service.devnet.rpcUrl);
  await proven();
});

test('gives up after a day and retries for a request a day later', async () => {
  gate.rule = refusing('eth_getBlockReceipts', 'eth_getTransactionReceipt');
  gate.asked.length = 0;
  for (let hour = 0; hour < 48; hour++) {
    await prove(gate.url);
    laterBy(3_600);
  }
  expect(warned).toHaveLength(1);
  expect(gate.asked.filter((method) => method === 'eth_getBlockByHash')).toHaveLength(10);
  service.clock.advance(3 * 86_400_000);
  await evidenceOf();
  now = service.clock.now();
  service.clock.release();
  gate.rule = undefined;
  await prove(gate.url);
  await proven();
});

test('counts no tries while an endpoint is down and delays no anchoring', async () => {
  gate.rule = DOWN;
  for (let minute = 0; minute < 20; minute++) {
    await prove(gate.url);
    laterBy(61);
  }
  expect(await service.db.value(sql`select max(tries) from evidence where header is null`)).toBe(0);
  await service.etch(author);
  await service.anchor();
  await prove(service.devnet.rpcUrl);
  await proven();
});

test('discards the proof of a block that a reorganization replaced meanwhile', async () => {
  gate.rule = async ({ method }) => {
    if (method !== 'eth_getBlockReceipts') return undefined;
    gate.rule = undefined;
    await rpc('anvil_reorg', 2, []);
    await rpc('evm_increaseTime', 1 - Number(await rpc('evm_increaseTime', 0)));
    await service.etch(author);
    await service.anchor();
    return undefined;
  };
  await prove(gate.url);
  await service.runTask('evidence');
  await proven();
  const [block] = provenBlocks(await evidenceOf(), service.chain.contract);
  expect((await rpc('eth_getBlockByNumber', `0x${block!.number.toString(16)}`, false)).hash).toBe(
    block!.hash,
  );
});
