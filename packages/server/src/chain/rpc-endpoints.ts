import { callOnce, hostOf, NodeError, type PostOptions } from './json-rpc.ts';
import { ChainUnavailable, WrongChain } from './port.ts';
import { toNumber } from './rpc-values.ts';

export interface RpcOptions {
  /** tried in this order */
  urls: readonly string[];
  /** refuse endpoints of any other chain; when absent the first endpoint that answers decides */
  chainId?: number;
  /** for one request, milliseconds */
  timeoutMs?: number;
  /** how long a checked chain id is believed, milliseconds */
  recheckMs?: number;
  fetch?: typeof fetch;
}

/** JSON-RPC over several endpoints. Each endpoint's chain id is checked before its answers are believed. */
export interface Rpc {
  /** Asks anew; refuses like every request. */
  chainId(): Promise<number>;
  /** The first endpoint's answer; on an error, or when `decode` throws, the next one's. */
  request<T>(method: string, params: readonly unknown[], decode: (answer: unknown) => T): Promise<T>;
  /** As `request`, but a decoded `null` (this node does not know) makes it ask the next endpoint too. */
  requestKnown<T>(
    method: string,
    params: readonly unknown[],
    decode: (answer: unknown) => T | null,
  ): Promise<T | null>;
  /** Asks every endpoint that works at once: for what one node may keep to itself (a transaction to send). */
  requestAll(method: string, params: readonly unknown[]): Promise<PromiseSettledResult<unknown>[]>;
  /** Asks every endpoint there is, also those that failed a moment ago: for what all must agree on. */
  requestEach(method: string, params: readonly unknown[]): Promise<PromiseSettledResult<unknown>[]>;
}

interface Endpoint {
  readonly url: string;
  checkedAt: number;
  /** left aside until then, after it failed */
  downUntil: number;
  headTime: number;
}

const MAX_BYTES = 32 * 1024 * 1024;
const DOWN_MS = 10_000;
/** A node this many seconds behind another one of the same chain is asked last. */
const LAG_SECONDS = 90;

export function createRpc(options: RpcOptions): Rpc {
  if (options.urls.length === 0) throw new Error('at least one RPC url is needed');
  const post: PostOptions = {
    timeoutMs: options.timeoutMs ?? 10_000,
    maxBytes: MAX_BYTES,
    ...(options.fetch ? { fetch: options.fetch } : {}),
  };
  const recheckMs = options.recheckMs ?? 30_000;
  const endpoints = options.urls.map((url): Endpoint => ({
    url,
    checkedAt: -Infinity,
    downUntil: -Infinity,
    headTime: 0,
  }));
  let expected = options.chainId;
  let comparedAt = -Infinity;

  async function ask(endpoint: Endpoint, method: string, params: readonly unknown[]): Promise<unknown> {
    try {
      return await callOnce(endpoint.url, method, params, post);
    } catch (error) {
      if (!(error instanceof NodeError)) {
        endpoint.downUntil = performance.now() + DOWN_MS;
        endpoint.checkedAt = -Infinity; // what comes back may be another chain
      }
      throw error;
    }
  }

  async function checkChain(endpoint: Endpoint): Promise<void> {
    if (performance.now() - endpoint.checkedAt < recheckMs) return;
    const id = toNumber(await ask(endpoint, 'eth_chainId', []));
    expected ??= id;
    if (id !== expected) {
      endpoint.downUntil = performance.now() + DOWN_MS;
      throw new WrongChain(`${hostOf(endpoint.url)} serves chain ${id}, not ${expected}`);
    }
    endpoint.checkedAt = performance.now();
  }

  async function askChecked(endpoint: Endpoint, method: string, params: readonly unknown[]) {
    await checkChain(endpoint);
    const answer = await ask(endpoint, method, params);
    endpoint.downUntil = -Infinity;
    return answer;
  }

  /** In the background: which endpoint stands still while another one moves on? */
  function compareHeads(): void {
    if (endpoints.length < 2 || performance.now() - comparedAt < recheckMs) return;
    comparedAt = performance.now();
    for (const endpoint of endpoints) {
      askChecked(endpoint, 'eth_getBlockByNumber', ['latest', false])
        .then((block) => (endpoint.headTime = toNumber((block as { timestamp?: unknown } | null)?.timestamp)))
        .catch(() => (endpoint.headTime = 0));
    }
  }

  function inOrder(): Endpoint[] {
    compareHeads();
    const newest = Math.max(...endpoints.map((endpoint) => endpoint.headTime));
    const rank = (endpoint: Endpoint) =>
      (isDown(endpoint) ? 2 : 0) +
      (endpoint.headTime > 0 && endpoint.headTime < newest - LAG_SECONDS ? 1 : 0);
    return [...endpoints].sort((a, b) => rank(a) - rank(b));
  }

  async function firstAnswer<T>(
    method: string,
    params: readonly unknown[],
    decode: (answer: unknown) => T,
    isKnown: (decoded: T) => boolean,
  ): Promise<T> {
    const failures: unknown[] = [];
    let unknown: { decoded: T } | undefined;
    for (const endpoint of inOrder()) {
      if (unknown && isDown(endpoint)) break; // a failing one only when there is no other
      try {
        const decoded = decode(await askChecked(endpoint, method, params));
        if (isKnown(decoded)) return decoded;
        unknown ??= { decoded };
      } catch (error) {
        if (!(error instanceof ChainUnavailable)) throw error;
        failures.push(error);
      }
    }
    if (unknown) return unknown.decoded;
    throw worst(failures);
  }

  return {
    chainId() {
      for (const endpoint of endpoints) endpoint.checkedAt = -Infinity;
      return firstAnswer('eth_chainId', [], toNumber, () => true);
    },
    request: (method, params, decode) => firstAnswer(method, params, decode, () => true),
    requestKnown: (method, params, decode) =>
      firstAnswer(method, params, decode, (decoded) => decoded !== null),
    requestAll(method, params) {
      const up = endpoints.filter((endpoint) => !isDown(endpoint));
      const asked = up.length > 0 ? up : endpoints;
      return Promise.allSettled(asked.map((endpoint) => askChecked(endpoint, method, params)));
    },
    requestEach: (method, params) =>
      Promise.allSettled(endpoints.map((endpoint) => askChecked(endpoint, method, params))),
  };
}

function isDown(endpoint: Endpoint): boolean {
  return endpoint.downUntil > performance.now();
}

/** Of several endpoints' failures the one that says most: a node's own error, then what kept us from asking. */
export function worst(failures: readonly unknown[]): Error {
  const errors = failures.filter((failure) => failure instanceof ChainUnavailable);
  return (
    errors.find((error) => error instanceof NodeError) ??
    errors.find((error) => !(error instanceof WrongChain)) ??
    errors[0] ??
    new ChainUnavailable('no RPC endpoint could be asked')
  );
}
