import type { Rpc } from './client.ts';
import { isRevert } from './json-rpc.ts';
import { ChainUnavailable, type Hex } from './port.ts';

class Refused extends Error {
  override name = 'Refused';
  readonly code: number;
  readonly id: string | number | null;
  constructor(code: number, message: string, id: string | number | null) {
    super(message);
    this.code = code;
    this.id = id;
  }
}

interface ProxyCall {
  id: string | number | null | undefined;
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

function createProxyRules(contract: Hex): { readRequest(request: unknown): ProxyCall } {
  const rules = new Map<string, Rule>([
    ['eth_chainId', none],
    ['net_version', none],
    ['eth_blockNumber', none],
    ['eth_getBlockByNumber', (params) => [blockOf(params[0]), flag(params[1])]],
    ['eth_getTransactionReceipt', (params) => [hash(params[0])]],
    ['eth_getTransactionByHash', (params) => [hash(params[0])]],
    ['eth_call', (params) => [callOf(params[0], contract), blockOf(params[1] ?? 'latest')]],
    ['eth_getLogs', (params) => [logFilterOf(params[0], contract)]],
  ]);
  return {
    readRequest(request) {
      if (typeof request !== 'object' || request === null || Array.isArray(request)) {
        throw new Refused(INVALID_REQUEST, 'not a JSON-RPC request', null);
      }
      const { jsonrpc, id, method, params } = request as Record<string, unknown>;
      if (id !== undefined && id !== null && typeof id !== 'number' && !isShortText(id)) {
        throw new Refused(INVALID_REQUEST, 'id must be a string or a number', null);
      }
      const answerTo = id ?? null;
      if (jsonrpc !== '2.0' || typeof method !== 'string') {
        throw new Refused(INVALID_REQUEST, 'not a JSON-RPC 2.0 request', answerTo);
      }
      const rule = rules.get(method);
      if (!rule) {
        throw new Refused(METHOD_NOT_FOUND, 'this endpoint serves a few reading methods only', answerTo);
      }
      if (params !== undefined && !Array.isArray(params)) {
        throw new Refused(INVALID_PARAMS, 'params must be an array', answerTo);
      }
      try {
        return { id, method, params: rule((params as unknown[] | undefined) ?? []) };
      } catch (error) {
        if (error instanceof BadParams) throw new Refused(INVALID_PARAMS, error.message, answerTo);
        throw error;
      }
    },
  };
}

class BadParams extends Error {}

const none = (): readonly unknown[] => [];

function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 100;
}

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
  if (typeof value === 'string' && (BLOCK_TAGS.includes(value) || /^0x[0-9a-f]{1,13}$/i.test(value))) {
    return value.toLowerCase();
  }
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

interface RpcProxyAnswer {
  status: number;
  body: unknown;
}

type Id = string | number | null;
type AdmitCalls = (requests: number, calls: number) => Promise<void>;
export type RpcProxy = (body: unknown, admit?: AdmitCalls) => Promise<RpcProxyAnswer>;

type Outcome = { result: unknown } | { error: { code: number; message: string } };
type Answer = { jsonrpc: '2.0'; id: Id } & Outcome;

export const MAX_BATCH = 20;
const UNAVAILABLE = -32002;
const REVERTED = { code: 3, message: 'execution reverted' };

/**
 * `/rpc` (docs/specification.md#outside-the-prefix). Throws only what `admit` throws. Answers contain no
 * upstream's URL, host or words.
 */
export function createRpcProxy({ rpc, contract }: { rpc: Rpc; contract: Hex }): RpcProxy {
  const rules = createProxyRules(contract);
  const inFlight = new Map<string, Promise<Outcome>>();

  async function ask(method: string, params: readonly unknown[]): Promise<Outcome> {
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
  function askOnce(method: string, params: readonly unknown[]): Promise<Outcome> {
    const key = JSON.stringify([method, params]);
    const running = inFlight.get(key);
    if (running) return running;
    const asked = ask(method, params).finally(() => inFlight.delete(key));
    inFlight.set(key, asked);
    return asked;
  }

  async function answerTo(read: ProxyCall | Refused): Promise<Answer | undefined> {
    if (read instanceof Refused)
      return { jsonrpc: '2.0', id: read.id, error: { code: read.code, message: read.message } };
    const outcome = askOnce(read.method, read.params);
    if (read.id === undefined) return undefined;
    return { jsonrpc: '2.0', id: read.id, ...(await outcome) };
  }

  const read = (request: unknown): ProxyCall | Refused => {
    try {
      return rules.readRequest(request);
    } catch (error) {
      if (error instanceof Refused) return error;
      throw error;
    }
  };

  return async (body, admit = async () => {}) => {
    const isBatch = Array.isArray(body);
    const requests: unknown[] = isBatch ? body : [body];
    if (requests.length === 0 || requests.length > MAX_BATCH) {
      await admit(1, 0);
      const message = `a batch holds 1 to ${MAX_BATCH} requests`;
      return answer({ jsonrpc: '2.0', id: null, error: { code: INVALID_REQUEST, message } });
    }
    const calls = requests.map(read);
    await admit(calls.length, calls.filter((call) => !(call instanceof Refused)).length);
    const answers = (await Promise.all(calls.map(answerTo))).filter((found) => found !== undefined);
    return answer(isBatch ? (answers.length > 0 ? answers : undefined) : answers[0]);
  };
}

const answer = (body: unknown): RpcProxyAnswer => ({ status: body === undefined ? 204 : 200, body });
