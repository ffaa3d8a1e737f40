// Reads a chain from the first of several endpoints that gives a usable answer.
import { EndpointFault, withTimeout } from './bounded.ts';
import { type Endpoint, type JsonAnswer, postJson } from './json-rpc.ts';

export interface RpcOptions {
  /** tried in order */
  urls: readonly string[];
  /** per endpoint, whole answer */
  timeoutMs?: number;
  fetch?: typeof globalThis.fetch;
}

export interface RpcRequest {
  method: string;
  params: unknown[];
}

/** Sends to one endpoint, whose chain id is compared. */
export type Rpc = (body: unknown) => Promise<JsonAnswer>;

interface Attempt<T> {
  found: T | null;
  /** of each endpoint before; null: it had no answer */
  faults: (EndpointFault | null)[];
}

type FirstAnswer = <T>(chainId: number, read: (rpc: Rpc) => Promise<T | null>) => Promise<Attempt<T>>;

/**
 * `read` returns null when an endpoint has no answer; then the next endpoint is tried.
 * @throws {TypeError} without an endpoint, or on a malformed url
 */
export function rpcClient({ urls, timeoutMs = 10_000, fetch }: RpcOptions, maxBytes: number): FirstAnswer {
  if (urls.length === 0 || !urls.every((url) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)))
    throw new TypeError('RPC endpoints are http(s) urls, at least one');
  const endpoints = urls.map((url): CheckedEndpoint => ({ url, fetch, maxBytes }));
  return async (chainId, read) => {
    const faults: (EndpointFault | null)[] = [];
    for (const endpoint of endpoints) {
      try {
        const found = await withTimeout(timeoutMs, (signal) => read(rpcAt(endpoint, chainId, signal)));
        if (found !== null) return { found, faults };
        faults.push(null);
      } catch (error) {
        faults.push(error instanceof EndpointFault ? error : new EndpointFault('cannot be reached', 'busy'));
      }
    }
    return { found: null, faults };
  };
}

interface CheckedEndpoint extends Endpoint {
  /** as the endpoint stated it */
  chainId?: number;
}

function rpcAt(endpoint: CheckedEndpoint, chainId: number, signal: AbortSignal): Rpc {
  const send = (body: unknown) => postJson(endpoint, signal, body);

  return async (body) => {
    if (endpoint.chainId === chainId) return send(body);
    const method = 'eth_chainId';
    const [answer, chain] = await Promise.all([send(body), send(requestOf(method, []))]);
    const stated = resultOf(chain, chain.value, method);
    if (typeof stated !== 'string' || !/^0x[\da-fA-F]{1,14}$/.test(stated)) throw malformed();
    if (Number(stated) !== chainId) throw new EndpointFault(`is of chain ${Number(stated)}, not ${chainId}`);
    endpoint.chainId = chainId;
    return answer;
  };
}

export async function call(rpc: Rpc, method: string, params: unknown[]): Promise<unknown> {
  const answer = await rpc(requestOf(method, params));
  return resultOf(answer, answer.value, method);
}

/** Results in order. @throws {EndpointFault} `refused` also when the endpoint takes no batches */
export async function callBatch(rpc: Rpc, requests: readonly RpcRequest[]): Promise<unknown[]> {
  const answer = await rpc(requests.map(({ method, params }, id) => requestOf(method, params, id)));
  const { response, value } = answer;
  if (!Array.isArray(value)) {
    if (isObject(value)) throw new EndpointFault('rejects batches of calls', 'refused', response);
    throw unreadable(response);
  }
  const byId = new Map(value.filter(isObject).map((one) => [one['id'], one]));
  return requests.map(({ method }, id) => resultOf(answer, byId.get(id) ?? {}, method));
}

const requestOf = (method: string, params: unknown[], id = 1) => ({ jsonrpc: '2.0', id, method, params });

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Some nodes add an `error` of null. */
function resultOf({ response }: JsonAnswer, value: unknown, method: string): unknown {
  if (!isObject(value)) throw unreadable(response);
  if (!response.ok || !('result' in value) || (value['error'] ?? null) !== null)
    throw new EndpointFault(`rejects ${method}`, 'refused', response);
  return value['result'];
}

export const malformed = () => new EndpointFault('returned a malformed answer');

const unreadable = (response: Response): EndpointFault =>
  response.ok
    ? malformed()
    : new EndpointFault(
        `returned status ${response.status}`,
        response.status === 413 ? 'refused' : 'broken',
        response,
      );
