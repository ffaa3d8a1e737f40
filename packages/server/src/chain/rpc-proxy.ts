import type { Rpc } from './client.ts';
import { isRevert } from './json-rpc.ts';
import { ChainUnavailable, type Hex } from './port.ts';
import { createProxyRules, type ProxyCall, Refused } from './rpc-proxy-rules.ts';

export interface RpcProxyOptions {
  rpc: Rpc;
  contract: Hex;
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
const INVALID_REQUEST = -32600;
const UNAVAILABLE = -32002;
const REVERTED = { code: 3, message: 'execution reverted' };

/**
 * `/rpc` (docs/specification.md#outside-the-prefix). Throws only what `admit` throws. Answers contain no
 * upstream's URL, host or words.
 */
export function createRpcProxy({ rpc, contract }: RpcProxyOptions): RpcProxy {
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

function answer(body: unknown): RpcProxyAnswer {
  return { status: body === undefined ? 204 : 200, body };
}
