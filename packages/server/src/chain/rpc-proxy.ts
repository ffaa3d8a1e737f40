import type { Rpc } from './client.ts';
import { isRevert } from './json-rpc.ts';
import { ChainUnavailable, type Hex } from './port.ts';
import { createProxyRules, Refused } from './rpc-proxy-rules.ts';

export interface RpcProxyOptions {
  /** readers' way to ask the chain */
  rpc: Rpc;
  /** the only contract whose state and logs may be read */
  contract: Hex;
}

export interface RpcProxyAnswer {
  status: number;
  /** undefined: nothing but notifications was sent, answer 204 */
  body: unknown;
}

type Id = string | number | null;
type Outcome = { result: unknown } | { error: { code: number; message: string } };

export const MAX_BATCH = 20;
const INVALID_REQUEST = -32600;
const UNAVAILABLE = -32002;
const REVERTED = { code: 3, message: 'execution reverted' };

/**
 * The read-only JSON-RPC endpoint for verifiers in browsers (docs/specification.md#outside-the-prefix,
 * `/rpc`): passes on what reading an attestation needs and nothing else. Never throws; an upstream's url,
 * host or words never reach the answer.
 */
export function createRpcProxy({
  rpc,
  contract,
}: RpcProxyOptions): (body: unknown) => Promise<RpcProxyAnswer> {
  const rules = createProxyRules(contract);
  const inFlight = new Map<string, Promise<Outcome>>();

  async function ask(method: string, params: readonly unknown[]): Promise<Outcome> {
    try {
      return { result: await rpc.request(method, params, (answer) => answer) };
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error;
      // Of a node's errors only the revert of a call is an answer; everything else is between us and the provider.
      return {
        error: isRevert(error) ? REVERTED : { code: UNAVAILABLE, message: 'the chain cannot be reached' },
      };
    }
  }

  /** Equal questions asked at the same time share one answer. */
  function askOnce(method: string, params: readonly unknown[]): Promise<Outcome> {
    const key = JSON.stringify([method, params]);
    const running = inFlight.get(key);
    if (running) return running;
    const asked = ask(method, params).finally(() => inFlight.delete(key));
    inFlight.set(key, asked);
    return asked;
  }

  async function one(request: unknown): Promise<({ jsonrpc: '2.0'; id: Id } & Outcome) | undefined> {
    try {
      const call = rules.readRequest(request);
      const outcome = askOnce(call.method, call.params);
      if (call.id === undefined) return undefined;
      return { jsonrpc: '2.0', id: call.id, ...(await outcome) };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { jsonrpc: '2.0', id: error.id, error: { code: error.code, message: error.message } };
    }
  }

  return async (body) => {
    if (!Array.isArray(body)) return answer(await one(body));
    if (body.length === 0 || body.length > MAX_BATCH) {
      const message = `a batch holds 1 to ${MAX_BATCH} requests`;
      return answer({ jsonrpc: '2.0', id: null, error: { code: INVALID_REQUEST, message } });
    }
    const answers = (await Promise.all(body.map(one))).filter((found) => found !== undefined);
    return answer(answers.length > 0 ? answers : undefined);
  };
}

function answer(body: unknown): RpcProxyAnswer {
  return { status: body === undefined ? 204 : 200, body };
}
