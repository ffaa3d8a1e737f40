// The read-only JSON-RPC proxy at /rpc. Requests are rebuilt from an allow-list; equal ones share a call.
import { isRevert } from './json-rpc.ts';
import type { Rpc } from './client.ts';
import { ChainUnavailable, type Hex } from './port.ts';

type Id = string | number | null;
type RpcOutcome = { result: unknown } | { error: { code: number; message: string } };
type Answer = { jsonrpc: '2.0'; id: Id } & RpcOutcome;

interface ProxyCall {
  id: Id | undefined;
  method: string;
  /** rebuilt; nothing else is forwarded */
  params: readonly unknown[];
}

const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;

export const MAX_LOG_RANGE = 10_000;
const MAX_CALLDATA = 2_050;

const BLOCK_TAGS = ['latest', 'safe', 'finalized', 'earliest'];

type Rule = (params: readonly unknown[]) => readonly unknown[];

const rulesFor = (contract: Hex): ReadonlyMap<string, Rule> =>
  new Map<string, Rule>([
    ['eth_chainId', none],
    ['net_version', none],
    ['eth_blockNumber', none],
    ['eth_getBlockByNumber', (params) => [blockOf(params[0]), flag(params[1])]],
    ['eth_getTransactionReceipt', (params) => [hash(params[0])]],
    ['eth_getTransactionByHash', (params) => [hash(params[0])]],
    ['eth_call', (params) => [callOf(params[0], contract), blockOf(params[1] ?? 'latest')]],
    ['eth_getLogs', (params) => [logFilterOf(params[0], contract)]],
  ]);

const refused = (code: number, message: string, id: Id = null): Answer => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

/** Returns the answer to an invalid request. */
function readRequest(request: unknown, rules: ReadonlyMap<string, Rule>): ProxyCall | Answer {
  if (typeof request !== 'object' || request === null || Array.isArray(request))
    return refused(INVALID_REQUEST, 'not a JSON-RPC request');
  const { jsonrpc, id, method, params = [] } = request as Record<string, unknown>;
  if (!isId(id)) return refused(INVALID_REQUEST, 'id must be a string or a number');
  const answerTo = id ?? null;
  if (jsonrpc !== '2.0' || typeof method !== 'string')
    return refused(INVALID_REQUEST, 'not a JSON-RPC 2.0 request', answerTo);
  const rule = rules.get(method);
  if (!rule) return refused(METHOD_NOT_FOUND, 'this endpoint serves a few reading methods only', answerTo);
  if (!Array.isArray(params)) return refused(INVALID_PARAMS, 'params must be an array', answerTo);
  try {
    return { id, method, params: rule(params) };
  } catch (error) {
    if (error instanceof BadParams) return refused(INVALID_PARAMS, error.message, answerTo);
    throw error;
  }
}

class BadParams extends Error {}

const isId = (id: unknown): id is Id | undefined =>
  id === undefined || id === null || typeof id === 'number' || (typeof id === 'string' && id.length <= 100);

const none = (): readonly unknown[] => [];

/** Full blocks are large. */
function flag(value: unknown): false {
  if (value !== undefined && value !== false) throw new BadParams('only blocks without full transactions');
  return false;
}

function hash(value: unknown): string {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{64}$/i.test(value)) throw new BadParams('not a hash');
  return value.toLowerCase();
}

function blockOf(value: unknown): string {
  if (isNumber(value) || (typeof value === 'string' && BLOCK_TAGS.includes(value)))
    return value.toLowerCase();
  throw new BadParams('not a block number or tag');
}

function recordOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new BadParams('an object is missing');
  return value as Record<string, unknown>;
}

const isContract = (value: unknown, contract: Hex): boolean =>
  typeof value === 'string' && value.toLowerCase() === contract.toLowerCase();

function callOf(value: unknown, contract: Hex): { to: Hex; data: string } {
  const call = recordOf(value);
  const data = call['data'] ?? call['input'];
  if (!isContract(call['to'], contract)) throw new BadParams('only calls of the attestation contract');
  if (typeof data !== 'string' || data.length > MAX_CALLDATA || !/^0x([0-9a-f]{2})*$/i.test(data)) {
    throw new BadParams('data is not short hex');
  }
  return { to: contract, data: data.toLowerCase() };
}

function logFilterOf(value: unknown, contract: Hex): Record<string, unknown> {
  const filter = recordOf(value);
  const { address, topics, blockHash, fromBlock, toBlock } = filter;
  const addresses = Array.isArray(address) ? (address as unknown[]) : [address];
  if (addresses.length !== 1 || !isContract(addresses[0], contract)) {
    throw new BadParams('only logs of the attestation contract');
  }
  const safe = { address: contract, ...(topics === undefined ? {} : { topics: topicsOf(topics) }) };
  if (blockHash !== undefined) return { ...safe, blockHash: hash(blockHash) };
  if (!isNumber(fromBlock) || !isNumber(toBlock)) {
    throw new BadParams('fromBlock and toBlock must be block numbers');
  }
  const range = Number(toBlock) - Number(fromBlock);
  if (range < 0 || range >= MAX_LOG_RANGE) throw new BadParams(`at most ${MAX_LOG_RANGE} blocks at once`);
  return { ...safe, fromBlock: fromBlock.toLowerCase(), toBlock: toBlock.toLowerCase() };
}

function isNumber(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-f]{1,13}$/i.test(value);
}

function topicsOf(value: unknown): unknown[] {
  if (!Array.isArray(value) || value.length > 4) throw new BadParams('at most four topics');
  return value.map((topic: unknown) => {
    if (topic === null) return null;
    if (!Array.isArray(topic)) return hash(topic);
    if (topic.length > 20) throw new BadParams('at most twenty choices of a topic');
    return topic.map(hash);
  });
}

type AdmitCalls = (requests: number, calls: number) => Promise<void>;
export type RpcProxy = (body: unknown, admit?: AdmitCalls) => Promise<{ status: number; body: unknown }>;

export const MAX_BATCH = 20;
const UNAVAILABLE = -32002;
const REVERTED = { code: 3, message: 'execution reverted' };

/**
 * `/rpc` (docs/specification.md#outside-the-prefix). Throws only what `admit` throws. Answers contain no
 * upstream's URL, host or words.
 */
export function createRpcProxy({ rpc, contract }: { rpc: Rpc; contract: Hex }): RpcProxy {
  const rules = rulesFor(contract);
  const inFlight = new Map<string, Promise<RpcOutcome>>();

  async function ask({ method, params }: ProxyCall): Promise<RpcOutcome> {
    try {
      return { result: await rpc.request(method, params, (answer) => answer) };
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error;
      // Other errors concern the service and its provider.
      return {
        error: isRevert(error) ? REVERTED : { code: UNAVAILABLE, message: 'the chain cannot be reached' },
      };
    }
  }

  /** Equal requests share one answer. */
  function askOnce(call: ProxyCall): Promise<RpcOutcome> {
    const key = JSON.stringify([call.method, call.params]);
    const asked = inFlight.get(key) ?? ask(call).finally(() => inFlight.delete(key));
    inFlight.set(key, asked);
    return asked;
  }

  async function answerTo(call: ProxyCall | Answer): Promise<Answer | undefined> {
    if ('jsonrpc' in call) return call;
    const outcome = askOnce(call);
    return call.id === undefined ? undefined : { jsonrpc: '2.0', id: call.id, ...(await outcome) };
  }

  async function answerAll(body: unknown, admit: AdmitCalls): Promise<Answer | Answer[] | undefined> {
    const requests: unknown[] = Array.isArray(body) ? body : [body];
    if (requests.length === 0 || requests.length > MAX_BATCH) {
      await admit(1, 0);
      return refused(INVALID_REQUEST, `a batch holds 1 to ${MAX_BATCH} requests`);
    }
    const calls = requests.map((request) => readRequest(request, rules));
    await admit(calls.length, calls.filter((call) => 'method' in call).length);
    const answers = (await Promise.all(calls.map(answerTo))).filter((found) => found !== undefined);
    return Array.isArray(body) && answers.length > 0 ? answers : answers[0];
  }

  return async (body, admit = async () => {}) => {
    const answer = await answerAll(body, admit);
    return { status: answer === undefined ? 204 : 200, body: answer };
  };
}
