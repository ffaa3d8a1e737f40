// Reads a chain from the first of several endpoints that gives a usable answer: failover, retries, batches.
import { EndpointFault, withTimeout } from './bounded.ts';
import { type Endpoint, type JsonAnswer, postJson, splitCredentials } from './json-rpc.ts';

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

/** One endpoint, whose chain id was compared. */
export interface Rpc {
  call(method: string, params: unknown[]): Promise<unknown>;
  /** Results in order. @throws {EndpointFault} `refused` also when the endpoint takes no batches */
  batch(requests: readonly RpcRequest[]): Promise<unknown[]>;
}

interface Attempt<T> {
  found: T | null;
  /** of each endpoint before; null: it had no answer */
  faults: (EndpointFault | null)[];
}

type FirstAnswer = <T>(
  chainId: number,
  read: (rpc: Rpc) => Promise<T | null>,
  attempts?: number,
) => Promise<Attempt<T>>;

const FIRST_PAUSE_MS = 500;
const MOST_PAUSE_MS = 60_000;
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * `read` returns null when an endpoint has no answer; then the next endpoint is tried. Further attempts follow while
 * the last endpoint is busy, after its `Retry-After`.
 * @throws {TypeError} without an endpoint, or on a malformed url
 * @throws {RangeError} on credentials that are not percent-encoded
 */
export function rpcClient({ urls, timeoutMs = 10_000, fetch }: RpcOptions, maxBytes: number): FirstAnswer {
  if (urls.length === 0) throw new TypeError('no RPC endpoint given');
  for (const url of urls) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw new TypeError('an RPC endpoint is not an http(s) url');
    splitCredentials(url);
  }
  const endpoints = urls.map((url): CheckedEndpoint => ({ url, fetch, maxBytes }));
  return async (chainId, read, attempts = 1) => {
    for (let made = 1; ; made++) {
      const faults: (EndpointFault | null)[] = [];
      for (const endpoint of endpoints) {
        try {
          const found = await withTimeout(timeoutMs, (signal) => read(rpcAt(endpoint, chainId, signal)));
          if (found !== null) return { found, faults };
          faults.push(null);
        } catch (error) {
          faults.push(
            error instanceof EndpointFault ? error : new EndpointFault('cannot be reached', 'busy'),
          );
        }
      }
      const last = faults.at(-1);
      if (last?.kind !== 'busy' || made === attempts) return { found: null, faults };
      await sleep(Math.min(last.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** (made - 1), MOST_PAUSE_MS));
    }
  };
}

interface CheckedEndpoint extends Endpoint {
  /** as the endpoint stated it */
  chainId?: number;
}

function rpcAt(endpoint: CheckedEndpoint, chainId: number, signal: AbortSignal): Rpc {
  const post = (body: unknown) => postJson(endpoint, signal, body);

  async function checkChain(): Promise<void> {
    if (endpoint.chainId === chainId) return;
    const answer = await post(requestOf(0, { method: 'eth_chainId', params: [] }));
    const stated = resultOf(answer, answer.value, 'eth_chainId');
    if (typeof stated !== 'string' || !/^0x[0-9a-fA-F]{1,14}$/.test(stated)) throw malformed();
    if (Number(stated) !== chainId) throw new EndpointFault(`is of chain ${Number(stated)}, not ${chainId}`);
    endpoint.chainId = chainId;
  }

  const checked = async (body: unknown): Promise<JsonAnswer> =>
    (await Promise.all([post(body), checkChain()]))[0];

  return {
    async call(method, params) {
      const answer = await checked(requestOf(1, { method, params }));
      return resultOf(answer, answer.value, method);
    },
    async batch(requests) {
      const answer = await checked(requests.map((request, id) => requestOf(id, request)));
      const { value } = answer;
      if (!Array.isArray(value)) {
        if (isObject(value)) throw faultOf(answer, 'rejects batches of calls', 'refused');
        throw unreadable(answer);
      }
      const byId = new Map(value.filter(isObject).map((one) => [one['id'], one]));
      return requests.map(({ method }, id) => resultOf(answer, byId.get(id) ?? {}, method));
    },
  };
}

const requestOf = (id: number, request: RpcRequest) => ({ jsonrpc: '2.0', id, ...request });

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isOk = ({ status }: JsonAnswer): boolean => status >= 200 && status < 300;

/** Some nodes add an `error` of null. */
function resultOf(answer: JsonAnswer, value: unknown, method: string): unknown {
  if (!isObject(value)) throw unreadable(answer);
  if (!isOk(answer) || !('result' in value) || (value['error'] ?? null) !== null)
    throw faultOf(answer, `rejects ${method}`, 'refused');
  return value['result'];
}

export const malformed = () => new EndpointFault('returned a malformed answer');

const unreadable = (answer: JsonAnswer): EndpointFault =>
  isOk(answer)
    ? malformed()
    : faultOf(answer, `returned status ${answer.status}`, answer.status === 413 ? 'refused' : 'broken');

/** A rate limit or a server fault is temporary. */
const faultOf = (
  { status, retryAfterMs }: JsonAnswer,
  message: string,
  kind: EndpointFault['kind'],
): EndpointFault => new EndpointFault(message, status === 429 || status >= 500 ? 'busy' : kind, retryAfterMs);
