// Runs without a database.
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { NodeError, redact } from '../../src/chain/json-rpc.ts';
import { ChainUnavailable, WrongChain, type Chain, type Hex } from '../../src/chain/port.ts';
import { devnetChain, useDevnet } from '../../../../testing/chain/devnet.ts';
import { type RpcGate, type Rule, startRpcGate } from '../../../../testing/chain/rpc-gate.ts';
import { mined, request, signNext, transact } from './transactions.ts';

const devnet = useDevnet();
let chain: Chain;
const open: RpcGate[] = [];

beforeAll(() => void (chain = devnet.chain()));
afterEach(() => Promise.all(open.splice(0).map((one) => one.stop())));

async function node(rule?: Rule): Promise<RpcGate> {
  const made = await startRpcGate(devnet.rpcUrl, rule && { rule });
  open.push(made);
  return made;
}
const lying = (method: string, result: unknown) =>
  node((call) => (call.method === method ? { result } : undefined));
const through = (...nodes: RpcGate[]) =>
  devnetChain(devnet, { urls: nodes.map((one) => one.url), timeoutMs: 2_000 });

describe('several endpoints', () => {
  it.each([
    ['refuses connections', undefined],
    ['fails', { status: 503, bytes: 'no' }],
    ['stalls', 'hang'],
  ] as const)('are tried in order when the first one %s', async (_, fault) => {
    const bad = await node(() => fault ?? 'hang');
    if (fault === undefined) await bad.close();
    const good = await node();
    const both = through(bad, good);
    expect(await both.head()).toEqual(await chain.head());
    const receipt = await transact(both, both.encodeAttest([request()]));
    expect(receipt.logs).toHaveLength(1);
    expect(bad.asked.length).toBeLessThanOrEqual(2);
  });

  it('skip an endpoint of a different chain', async () => {
    const other = await lying('eth_chainId', '0x1');
    const good = await node();
    expect((await through(other, good).identity()).chainId).toBe(31337);
    expect(other.asked.every((method) => method === 'eth_chainId')).toBe(true);
    await expect(through(other).head()).rejects.toBeInstanceOf(WrongChain);
  });

  it('fail while an endpoint answers for a different chain, and work again afterwards', async () => {
    let id = '0x7a69';
    const changing = await node((call) => (call.method === 'eth_chainId' ? { result: id } : undefined));
    const watched = devnetChain(devnet, { urls: [changing.url], recheckMs: 0 });
    await watched.head();
    id = '0x1';
    await expect(watched.head()).rejects.toBeInstanceOf(WrongChain);
    id = '0x7a69';
    expect((await watched.head()).number).toBe((await chain.head()).number);
  });

  it('are all tried for a transaction that one does not know', async () => {
    const receipt = await transact(chain, chain.encodeAttest([request()]));
    const unknown = ['eth_getTransactionReceipt', 'eth_getTransactionByHash', 'eth_getBlockByNumber'];
    const noAttestation = `0x${'0'.repeat(62)}20${'0'.repeat(64 * 9)}${'0'.repeat(61)}140${'0'.repeat(64)}`;
    const ignorant = await node(({ method }) => {
      if (unknown.includes(method)) return { result: null };
      return method === 'eth_call' ? { result: noAttestation } : undefined;
    });
    const good = await node();
    const { uid } = receipt.logs[0]!;
    expect(await through(ignorant).receipt(receipt.txHash)).toBeNull();
    expect(await through(ignorant).knows(receipt.txHash)).toBe(false);
    expect(await through(ignorant).attestation(uid)).toBeNull();
    const both = through(ignorant, good);
    expect(await both.receipt(receipt.txHash)).toEqual(receipt);
    expect(await both.knows(receipt.txHash)).toBe(true);
    expect((await both.attestation(uid))?.uid).toBe(uid);
  });

  it('all get a transaction, and the best answer counts', async () => {
    const silent = await node(async (call) => {
      if (call.method !== 'eth_sendRawTransaction') return undefined;
      return { error: { code: -32000, message: 'insufficient funds for gas * price + value' } };
    });
    const good = await node();
    const both = through(silent, good);
    const { raw, hash } = await signNext(both, both.encodeAttest([request()]));
    expect(await both.send(raw)).toEqual({ outcome: 'accepted' });
    expect((await mined(chain, hash)).logs).toHaveLength(1);
    const { raw: next } = await signNext(both, both.encodeAttest([request()]));
    expect((await through(silent).send(next)).outcome).toBe('rejected');
  });
});

describe('a node that cannot be trusted', () => {
  it('accepts a transaction and then fails: the chain decides', async () => {
    const treacherous = await node(async ({ method, params }, pass) => {
      if (method !== 'eth_sendRawTransaction') return undefined;
      await pass(method, params);
      return { status: 500, bytes: 'no' };
    });
    const only = through(treacherous);
    const { raw, hash } = await signNext(only, only.encodeAttest([request()]));
    await expect(only.send(raw)).rejects.toBeInstanceOf(ChainUnavailable);
    expect((await mined(chain, hash)).succeeded).toBe(true);
  });

  it('returns a different transaction hash than the one sent', async () => {
    const confused = await lying('eth_sendRawTransaction', `0x${'12'.repeat(32)}`);
    const { raw } = await signNext(chain, chain.encodeAttest([request()]));
    await expect(through(confused).send(raw)).rejects.toBeInstanceOf(ChainUnavailable);
  });

  it.each(['x', 7, true, {}, [], '0x', '0xzz', `0x${'f'.repeat(64)}`, null])(
    'answers %j to everything: the result is unavailable or null',
    async (result) => {
      const mad = await node((call) => (call.method === 'eth_chainId' ? undefined : { result }));
      const only = through(mad);
      const hash: Hex = `0x${'ab'.repeat(32)}`;
      const calldata = chain.encodeAttest([request()]);
      for (const ask of ['head', 'finalBlock', 'minedNonce', 'identity'] as const)
        await expect(only[ask]()).rejects.toBeInstanceOf(ChainUnavailable);
      for (const ask of ['receipt', 'knows', 'attestation'] as const) {
        const answer = await only[ask](hash).catch((error: unknown) => error);
        expect(answer === null || answer === false || answer instanceof ChainUnavailable).toBe(true);
      }
      const block = await only.blockByNumber(1).catch((error: unknown) => error);
      expect(block === null || block instanceof ChainUnavailable).toBe(true);
      if (typeof result !== 'string' || result.length < 60)
        await expect(only.estimateGas(calldata)).rejects.toBeInstanceOf(ChainUnavailable);
    },
  );

  it('forges logs: those of a different contract, attester, schema or transaction do not count', async () => {
    const real = await transact(chain, chain.encodeAttest([request()]));
    type Log = Record<string, unknown> & { topics: string[] };
    const forged = (change: (log: Log) => void) =>
      node(async ({ method, params }, pass) => {
        if (method !== 'eth_getTransactionReceipt') return undefined;
        const receipt = (await pass(method, params)) as { logs: Log[] };
        receipt.logs.forEach(change);
        return { result: receipt };
      });
    const elsewhere = `0x${'33'.repeat(32)}`;
    const noLogs = { ...real, logs: [] };
    const emitter = await forged((log) => (log['address'] = `0x${'33'.repeat(20)}`));
    expect(await through(emitter).receipt(real.txHash)).toEqual(noLogs);
    for (const topic of [0, 2, 3]) {
      const liar = await forged((log) => (log.topics[topic] = elsewhere));
      expect(await through(liar).receipt(real.txHash)).toEqual(noLogs);
    }
    for (const field of ['transactionHash', 'blockHash']) {
      const liar = await forged((log) => (log[field] = elsewhere));
      await expect(through(liar).receipt(real.txHash)).rejects.toBeInstanceOf(ChainUnavailable);
    }
    const other = { ...real, transactionHash: elsewhere, logs: [] };
    const swapped = await lying('eth_getTransactionReceipt', other);
    await expect(through(swapped).receipt(real.txHash)).rejects.toBeInstanceOf(ChainUnavailable);
  });

  it('returns a different attestation than the requested one', async () => {
    const [a, b] = (await transact(chain, chain.encodeAttest([request(), request()]))).logs;
    let answer: unknown;
    const recorder = await node(async ({ method, params }, pass) => {
      if (method !== 'eth_call') return undefined;
      answer ??= await pass(method, params);
      return { result: answer };
    });
    const only = through(recorder);
    expect((await only.attestation(a!.uid))?.uid).toBe(a!.uid);
    await expect(only.attestation(b!.uid)).rejects.toBeInstanceOf(ChainUnavailable);
  });
});

describe('a provider’s key', () => {
  const key = 'k3y-0123456789abcdef';
  it.each([
    (url: string) => `${url}/v2/${key}`,
    (url: string) => `${url}?apikey=${key}`,
    (url: string) => url.replace('//', `//user:${key}@`),
  ])('appears in no message', async (withKey) => {
    const messages: string[] = [];
    for (const fault of [
      { status: 500, bytes: 'no' },
      'hang',
      { error: { code: -32000, message: `invalid project id ${key}` } },
      { result: `nonsense ${key}` },
    ] as const) {
      const bad = await node(() => fault);
      const only = devnetChain(devnet, { urls: [withKey(bad.url)], timeoutMs: 200 });
      const error = (await only.head().catch((caught: unknown) => caught)) as Error;
      expect(error).toBeInstanceOf(ChainUnavailable);
      messages.push(`${error.message} ${error.stack ?? ''} ${JSON.stringify(error)}`);
    }
    expect(messages.join('\n')).not.toContain(key);
  });

  it('is removed from a node’s message', () => {
    expect(redact(`no such project ${key}\u001b[31m`, `https://rpc.example/v3/${key}`)).toBe(
      'no such project ***\\u001b[31m',
    );
    expect(redact('x'.repeat(1000), 'https://rpc.example/')).toHaveLength(300);
  });
});

const via = async (...rules: Rule[]) => through(...(await Promise.all(rules.map((rule) => node(rule)))));
const honest: Rule = () => undefined;
const changing =
  (asked: string, change: object): Rule =>
  async ({ method, params }, pass) =>
    method === asked ? { result: { ...(await pass(method, params)), ...change } } : undefined;

it('finds our attestations by their logs, and no other attester’s', async () => {
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

it('rejects calldata that we would not write', () => {
  const ours = chain.encodeAttest([request()]);
  expect(chain.decodeAttest(ours)).toHaveLength(1);
  expect(chain.decodeAttest(chain.encodeRevoke([`0x${'12'.repeat(32)}`]))).toBeNull();
  expect(chain.decodeAttest(`${ours}00`)).toBeNull();
  expect(chain.decodeAttest('0x')).toBeNull();
  const elsewhere = devnet.chain({ schemaUid: `0x${'34'.repeat(32)}` });
  expect(chain.decodeAttest(elsewhere.encodeAttest([request()]))).toBeNull();
});

it('rejects an invented transaction by its signature', async () => {
  const { raw, hash } = await signNext(chain, chain.encodeAttest([request()]));
  await chain.send(raw);
  const { txHash } = await mined(chain, hash);
  const own = async (change: object) =>
    (await via(changing('eth_getTransactionByHash', change))).ownTransaction(txHash);
  for (const change of [
    { input: '0x12' },
    { nonce: '0x7' },
    { to: `0x${'99'.repeat(20)}` },
    { r: `0x${'1'.repeat(64)}` },
    { blockNumber: null },
  ])
    expect(await own(change), JSON.stringify(change)).toBeNull();
  expect(await own({})).toMatchObject({ hash });
});

it('reads logs that one endpoint withholds from another, and fails if all fail', async () => {
  const { txHash, blockNumber } = await transact(chain, chain.encodeAttest([request()]));
  const silent: Rule = ({ method }) => (method === 'eth_getLogs' ? { result: [] } : undefined);
  const refusing: Rule = ({ method }) =>
    method === 'eth_getLogs' ? { error: { code: -32005, message: 'range too wide' } } : undefined;
  expect(await (await via(silent, honest)).attestedIn(blockNumber, blockNumber)).toEqual([txHash]);
  expect(await (await via(refusing, honest)).attestedIn(blockNumber, blockNumber)).toEqual([txHash]);
  await expect((await via(refusing, refusing)).attestedIn(0, blockNumber)).rejects.toThrow(NodeError);
});

it('requires every endpoint’s agreement for a step that cannot be undone', async () => {
  const { txHash } = await transact(chain, chain.encodeAttest([request()]));
  const reverted = changing('eth_getTransactionReceipt', { status: '0x0', logs: [] });
  const forgetful: Rule = ({ method }) =>
    method === 'eth_getTransactionReceipt' ? { result: null } : undefined;
  const backdated = changing('eth_getBlockByNumber', { timestamp: '0x1' });
  const refused: Rule = () => ({ status: 500, bytes: 'no' });
  for (const fault of [reverted, forgetful, backdated, refused]) {
    expect(await (await via(honest, fault)).agreedReceipt(txHash)).toBeNull();
    expect(await (await via(fault, honest)).agreedReceipt(txHash)).toBeNull();
  }
  const agreed = await (await via(honest, honest)).agreedReceipt(txHash);
  expect(agreed?.receipt).toMatchObject({ txHash, succeeded: true });
  expect(agreed?.block.hash).toBe(agreed?.receipt.blockHash);
});
