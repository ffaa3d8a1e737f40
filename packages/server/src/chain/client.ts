// The JSON-RPC client of the service: several endpoints, one checked chain id, and priority for anchoring over
// readers.
import { setTimeout as sleep } from 'node:timers/promises';
import { Endpoint, type CallOptions, type SharedChainId } from './endpoint.ts';
import { EndpointFault, NodeError, toNumber } from './json-rpc.ts';
import { ChainUnavailable, WrongChain } from './port.ts';

export interface ChainClientOptions {
  urls: readonly string[];
  readUrls?: readonly string[] | undefined;
  /** default: the chain of the first of `urls` that answers */
  chainId?: number | undefined;
  /** per request (default 10,000; readers 5,000) */
  timeoutMs?: number;
  /** validity of a checked chain id (default 30,000) */
  recheckMs?: number;
  fetch?: typeof fetch;
}

/** Checks the chain id before it uses answers. */
export interface Rpc {
  chainId(): Promise<number>;
  checkedChainId(): Promise<number>;
  /** Tries the next endpoint after an error, or if `decode` throws. */
  request<T>(method: string, params: readonly unknown[], decode: (answer: unknown) => T): Promise<T>;
  /** Tries the next endpoint also after a decoded `null`. */
  requestKnown<T>(
    method: string,
    params: readonly unknown[],
    decode: (answer: unknown) => T | null,
  ): Promise<T | null>;
  /** Queries every working endpoint: one node might withhold a transaction. */
  requestAll(method: string, params: readonly unknown[]): Promise<PromiseSettledResult<unknown>[]>;
  /** Queries every endpoint, even one that just failed: all must agree. */
  requestEach(method: string, params: readonly unknown[]): Promise<PromiseSettledResult<unknown>[]>;
}

const MAX_BYTES = 32 * 1024 * 1024;
const READERS_MAX_BYTES = 1024 * 1024;
const READERS_TIMEOUT_MS = 5_000;
const READERS_AT_ONCE = 32;
const READERS_WAITING = 256;
const BACKGROUND_TIMEOUT_MS = 30_000;
const BACKGROUND_AT_ONCE = 4;
/** A node further behind is tried last. */
const LAG_SECONDS = 90;
/** Repeats after "too many requests". */
const PATIENCE = 3;
const PAUSE_MS = 1_100;
const LONGEST_PAUSE_MS = 5_000;

export function openChainClient(options: ChainClientOptions) {
  if (options.urls.length === 0) throw new Error('at least one RPC url is needed');
  const timeoutMs = options.timeoutMs ?? 10_000;
  const shared: SharedChainId = { chainId: options.chainId, recheckMs: options.recheckMs ?? 30_000 };
  const known = new Map<string, Endpoint>();
  for (const url of options.urls) known.set(url, new Endpoint(url, true, shared));
  for (const url of options.readUrls ?? [])
    if (!known.has(url)) known.set(url, new Endpoint(url, false, shared));
  const pick = (urls: readonly string[]) => [...new Set(urls)].map((url) => known.get(url)!);
  const common = options.fetch ? { fetch: options.fetch } : {};

  const anchoring: CallOptions = { ...common, for: 'anchoring', timeoutMs, maxBytes: MAX_BYTES };
  const readers: CallOptions = {
    ...common,
    for: 'readers',
    timeoutMs: Math.min(timeoutMs, READERS_TIMEOUT_MS),
    maxBytes: READERS_MAX_BYTES,
  };
  const compareHeads = headComparison([...known.values()], shared, anchoring);
  const first = rpcOver(pick(options.urls), shared, anchoring, compareHeads, patiently);
  const inTurn = createTurns(READERS_AT_ONCE, READERS_WAITING);
  const second = rpcOver(
    pick(options.readUrls ?? options.urls),
    shared,
    readers,
    compareHeads,
    async (ask) => {
      if (shared.chainId === undefined) await first.chainId(); // a reader's endpoint must not choose the chain
      return inTurn(ask);
    },
  );
  const unhurried: CallOptions = {
    ...readers,
    timeoutMs: Math.max(timeoutMs, BACKGROUND_TIMEOUT_MS),
    maxBytes: MAX_BYTES,
  };
  const third = rpcOver(
    pick([...(options.readUrls ?? []), ...options.urls]),
    shared,
    unhurried,
    compareHeads,
    createTurns(BACKGROUND_AT_ONCE, READERS_WAITING),
  );
  return { anchoring: first, readers: second, background: third };
}

/**
 * Anchoring retries at an overloaded endpoint, while readers skip it. `background` yields to anchoring; answers may
 * be large and slow.
 */
export type ChainClient = ReturnType<typeof openChainClient>;

type RunInTurn = <T>(ask: () => Promise<T>) => Promise<T>;

function rpcOver(
  endpoints: readonly Endpoint[],
  shared: SharedChainId,
  manner: CallOptions,
  compareHeads: () => void,
  way: RunInTurn,
): Rpc {
  function inOrder(): Endpoint[] {
    compareHeads();
    const newest = Math.max(...endpoints.map(({ headTime }) => headTime));
    const rank = ({ isDown, headTime }: Endpoint) =>
      (isDown ? 2 : 0) + (headTime > 0 && headTime < newest - LAG_SECONDS ? 1 : 0);
    return open().sort((a, b) => rank(a) - rank(b));
  }

  function open(): Endpoint[] {
    if (manner.for === 'anchoring') return [...endpoints];
    const now = performance.now();
    const free = endpoints.filter(({ readersFrom }) => readersFrom <= now);
    if (free.length > 0) return free;
    const wait = Math.min(...endpoints.map(({ readersFrom }) => readersFrom)) - now;
    throw new EndpointFault('readers skip the chain for a while: its endpoints limit requests', 'busy', wait);
  }

  async function firstAnswer<T>(
    ask: (endpoint: Endpoint) => Promise<T>,
    isKnown: (decoded: T) => boolean = () => true,
  ): Promise<T> {
    const failures: unknown[] = [];
    let unknown: { decoded: T } | undefined;
    for (const endpoint of inOrder()) {
      if (unknown && endpoint.isDown) break;
      try {
        const decoded = await ask(endpoint);
        if (isKnown(decoded)) return decoded;
        unknown ??= { decoded };
      } catch (error) {
        if (!(error instanceof ChainUnavailable)) throw error;
        failures.push(error);
      }
    }
    if (unknown) return unknown.decoded;
    throw mostTelling(failures);
  }

  const askEach = (some: readonly Endpoint[], method: string, params: readonly unknown[]) =>
    Promise.allSettled(some.map((endpoint) => way(() => endpoint.ask(manner, method, params))));

  const checkedChainId = () =>
    way(() =>
      firstAnswer(async (endpoint) => {
        await endpoint.checkChain(manner);
        return shared.chainId!;
      }),
    );
  return {
    checkedChainId,
    chainId: async () => shared.chainId ?? checkedChainId(),
    request: (method, params, decode) =>
      way(() => firstAnswer(async (endpoint) => decode(await endpoint.ask(manner, method, params)))),
    requestKnown: (method, params, decode) =>
      way(() =>
        firstAnswer(
          async (endpoint) => decode(await endpoint.ask(manner, method, params)),
          (decoded) => decoded !== null,
        ),
      ),
    requestAll(method, params) {
      const up = endpoints.filter(({ isDown }) => !isDown);
      return askEach(up.length > 0 ? up : endpoints, method, params);
    },
    requestEach: (method, params) => askEach(endpoints, method, params),
  };
}

function headComparison(
  endpoints: readonly Endpoint[],
  shared: SharedChainId,
  manner: CallOptions,
): () => void {
  let comparedAt = -Infinity;
  return () => {
    if (endpoints.length < 2 || performance.now() - comparedAt < shared.recheckMs) return;
    comparedAt = performance.now();
    for (const endpoint of endpoints) {
      endpoint
        .ask(manner, 'eth_getBlockByNumber', ['latest', false])
        .then((block) => (endpoint.headTime = toNumber((block as { timestamp?: unknown } | null)?.timestamp)))
        .catch(() => (endpoint.headTime = 0));
    }
  };
}

async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (let left = PATIENCE; ; left--) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof EndpointFault) || error.kind !== 'busy' || left === 0) throw error;
      await sleep(Math.min(error.retryAfterMs ?? PAUSE_MS, LONGEST_PAUSE_MS));
    }
  }
}

/** Prefers a node's own answer. */
export function mostTelling(failures: readonly unknown[]): Error {
  const errors = failures.filter((failure) => failure instanceof ChainUnavailable);
  return (
    errors.find((error) => error instanceof NodeError) ??
    errors.find((error) => error instanceof EndpointFault && error.kind === 'busy') ??
    errors.find((error) => !(error instanceof WrongChain)) ??
    errors[0] ??
    new ChainUnavailable('no RPC endpoint is available')
  );
}

function createTurns(atOnce: number, waiting: number): <T>(work: () => Promise<T>) => Promise<T> {
  let working = 0;
  const queue: (() => void)[] = [];
  return async (work) => {
    if (working < atOnce) working++;
    else if (queue.length >= waiting)
      throw new EndpointFault('too many requests wait for the chain', 'busy', 1_000);
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else working--;
    }
  };
}
