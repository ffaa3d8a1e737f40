// Runs without a database.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NodeError } from '../../src/chain/json-rpc.ts';
import type { Chain } from '../../src/chain/port.ts';
import { devnetChain, useDevnet } from '../../../../testing/chain/devnet.ts';
import { type RpcGate, type Rule, startRpcGate } from '../../../../testing/chain/rpc-gate.ts';
import { mined, request, signNext, transact } from './transactions.ts';

const devnet = useDevnet();
let chain: Chain;
const gates: RpcGate[] = [];
beforeAll(() => {
  chain = devnet.chain();
});
afterAll(async () => {
  for (const gate of gates) await gate.stop();
});
async function through(...rules: Rule[]): Promise<Chain> {
  const urls = [];
  for (const rule of rules) {
    const gate = await startRpcGate(devnet.rpcUrl, { rule });
    gates.push(gate);
    urls.push(gate.url);
  }
  return devnetChain(devnet, { urls });
}
const honest: Rule = () => undefined;
const changing =
  (asked: string, change: object): Rule =>
  async ({ method, params }, pass) =>
    method === asked ? { result: { ...(await pass(method, params)), ...change } } : undefined;

test('finds our attestations by their logs, and no other attester’s', async () => {
  const requests = [request(), request({ revocable: true })];
  const receipt = await transact(chain, chain.encodeAttest(requests));
  const stranger = devnet.chain({ relayerPrivateKey: (await devnet.newRelayer()).key });
  const other = await transact(stranger, chain.encodeAttest([request()]));
  const { number } = await chain.head();
  expect(await chain.attestedIn(0, number)).toContain(receipt.txHash);
  expect(await chain.attestedIn(0, number)).not.toContain(other.txHash);
  expect(await chain.attestedIn(receipt.blockNumber + 1, number)).toEqual([]);

  const own = (await chain.ownTransaction(receipt.txHash))!;
  expect(own).toMatchObject({ hash: receipt.txHash, blockNumber: receipt.blockNumber, to: chain.contract });
  expect(chain.decodeAttest(own.calldata)).toEqual(requests);
  expect(await chain.ownTransaction(other.txHash)).toBeNull();
  expect((await chain.send(own.raw)).outcome).toMatch(/already-known|nonce-too-low/);
});

test('rejects calldata that we would not write', () => {
  const ours = chain.encodeAttest([request()]);
  expect(chain.decodeAttest(ours)).toHaveLength(1);
  expect(chain.decodeAttest(chain.encodeRevoke([`0x${'12'.repeat(32)}`]))).toBeNull();
  expect(chain.decodeAttest(`${ours}00`)).toBeNull();
  expect(chain.decodeAttest('0x')).toBeNull();
  const elsewhere = devnet.chain({ schemaUid: `0x${'34'.repeat(32)}` });
  expect(chain.decodeAttest(elsewhere.encodeAttest([request()]))).toBeNull();
});

test('rejects an invented transaction by its signature', async () => {
  const { raw, hash } = await signNext(chain, chain.encodeAttest([request()]));
  await chain.send(raw);
  const { txHash } = await mined(chain, hash);
  const own = async (change: object) =>
    (await through(changing('eth_getTransactionByHash', change))).ownTransaction(txHash);
  for (const change of [
    ...[{ input: '0x12' }, { nonce: '0x7' }, { to: `0x${'99'.repeat(20)}` }, { r: `0x${'1'.repeat(64)}` }],
    { blockNumber: null },
  ])
    expect(await own(change), JSON.stringify(change)).toBeNull();
  expect(await own({})).toMatchObject({ hash });
});

test('reads logs that one endpoint withholds from another, and fails if all fail', async () => {
  const { txHash, blockNumber } = await transact(chain, chain.encodeAttest([request()]));
  const silent: Rule = ({ method }) => (method === 'eth_getLogs' ? { result: [] } : undefined);
  const refusing: Rule = ({ method }) =>
    method === 'eth_getLogs' ? { error: { code: -32005, message: 'range too wide' } } : undefined;
  expect(await (await through(silent, honest)).attestedIn(blockNumber, blockNumber)).toEqual([txHash]);
  expect(await (await through(refusing, honest)).attestedIn(blockNumber, blockNumber)).toEqual([txHash]);
  await expect((await through(refusing, refusing)).attestedIn(0, blockNumber)).rejects.toThrow(NodeError);
});

test('requires every endpoint’s agreement for a step that cannot be undone', async () => {
  const { txHash } = await transact(chain, chain.encodeAttest([request()]));
  const reverted = changing('eth_getTransactionReceipt', { status: '0x0', logs: [] });
  const forgetful: Rule = ({ method }) =>
    method === 'eth_getTransactionReceipt' ? { result: null } : undefined;
  const backdated = changing('eth_getBlockByNumber', { timestamp: '0x1' });
  const refused: Rule = () => ({ status: 500, bytes: 'no' });
  for (const fault of [reverted, forgetful, backdated, refused]) {
    expect(await (await through(honest, fault)).agreedReceipt(txHash)).toBeNull();
    expect(await (await through(fault, honest)).agreedReceipt(txHash)).toBeNull();
  }
  const agreed = await (await through(honest, honest)).agreedReceipt(txHash);
  expect(agreed?.receipt).toMatchObject({ txHash, succeeded: true });
  expect(agreed?.block.hash).toBe(agreed?.receipt.blockHash);
});
