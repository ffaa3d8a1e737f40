export interface RpcOptions {
  /** tried in order */
  urls: readonly string[];
  /** per endpoint, whole answer */
  timeoutMs?: number;
  fetch?: typeof globalThis.fetch;
}

export interface Endpoint {
  fetch: typeof globalThis.fetch;
  url: string;
  /** for a whole answer */
  timeoutMs: number;
  maxBytes: number;
}

/** Never names the endpoint, because its URL may contain a key. */
export class EndpointFault extends Error {
  /** `refused`: a different request may succeed; `busy`: a later one may */
  readonly kind: 'refused' | 'busy' | 'broken';
  readonly response: Response | null;
  constructor(message: string, kind: EndpointFault['kind'] = 'broken', response: Response | null = null) {
    super(message);
    this.kind = kind;
    this.response = response;
  }
}

/** A rate limit or a server fault is temporary. */
export function kindOf({ kind, response }: EndpointFault): EndpointFault['kind'] {
  return response !== null && (response.status === 429 || response.status >= 500) ? 'busy' : kind;
}

/** `Retry-After` in milliseconds. */
export function pauseOf({ response }: EndpointFault): number | null {
  const seconds = response?.headers.get('retry-after') ?? '';
  return /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1000 : null;
}

export const malformed = () => new EndpointFault('returned a malformed answer');

/** @throws {EndpointFault} unless the answer to `eth_chainId` is this chain */
export function checkChainId(answer: unknown, chainId: number): void {
  if (typeof answer !== 'string' || !/^0x[0-9a-fA-F]{1,14}$/.test(answer)) throw malformed();
  if (Number(answer) !== chainId) throw new EndpointFault(`is of chain ${Number(answer)}, not ${chainId}`);
}

/** @throws {TypeError} without an endpoint, or on a malformed url */
export function checkUrls(urls: readonly string[]): void {
  if (urls.length === 0) throw new TypeError('no RPC endpoint given');
  if (!urls.every((url) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)))
    throw new TypeError('an RPC endpoint is not an http(s) url');
}

export interface RpcRequest {
  method: string;
  params: unknown[];
}

/** @throws {EndpointFault} */
export async function call(
  endpoint: Endpoint,
  signal: AbortSignal,
  method: string,
  params: unknown[],
): Promise<unknown> {
  const { response, value } = await post(endpoint, signal, { jsonrpc: '2.0', id: 1, method, params });
  if (!isObject(value)) throw unreadable(response);
  if (!response.ok || !isResult(value)) throw new EndpointFault(`rejects ${method}`, 'refused', response);
  return value['result'];
}

/**
 * One batch.
 * @returns results in order
 * @throws {EndpointFault} `refused` also when the endpoint takes no batches
 */
export async function callMany(
  endpoint: Endpoint,
  signal: AbortSignal,
  requests: readonly RpcRequest[],
): Promise<unknown[]> {
  const list = requests.map((request, id) => ({ jsonrpc: '2.0', id, ...request }));
  const { response, value } = await post(endpoint, signal, list);
  if (!Array.isArray(value)) {
    if (isObject(value)) throw new EndpointFault('rejects batches of calls', 'refused', response);
    throw unreadable(response);
  }
  const byId = new Map(value.filter(isObject).map((answer) => [answer['id'], answer]));
  return requests.map(({ method }, id) => {
    const answer = byId.get(id);
    if (answer === undefined || !isResult(answer)) throw new EndpointFault(`rejects ${method}`, 'refused');
    return answer['result'];
  });
}

/** Even when `fetch` ignores its signal. */
export async function withTimeout<T>(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new EndpointFault(`did not answer within ${milliseconds} ms`, 'refused')),
      milliseconds,
    );
  });
  try {
    return await Promise.race([work(controller.signal), timeout]);
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}

/** `read` returns null when the endpoint has no answer; then the next endpoint is tried. */
export async function firstAnswer<T>(
  { urls, timeoutMs = 10_000, fetch = globalThis.fetch }: RpcOptions,
  maxBytes: number,
  read: (ask: (method: string, params: unknown[]) => Promise<unknown>) => Promise<T | null>,
): Promise<[found: T | null, faults: (string | null)[]]> {
  const faults: (string | null)[] = [];
  for (const url of urls) {
    const endpoint: Endpoint = { fetch, url, timeoutMs, maxBytes };
    try {
      const found = await withTimeout(timeoutMs, (signal) =>
        read((...request) => call(endpoint, signal, ...request)),
      );
      if (found !== null) return [found, faults];
      faults.push(null);
    } catch (error) {
      faults.push(error instanceof EndpointFault ? error.message : 'cannot be reached');
    }
  }
  return [null, faults];
}

async function post({ fetch, url, maxBytes }: Endpoint, signal: AbortSignal, body: unknown) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    // A redirect could lead to a host that the caller did not name.
    redirect: 'manual',
    signal,
  });
  const bytes = await readBytes(response, maxBytes);
  if (bytes === null) throw new EndpointFault('returned too long an answer', 'refused');
  return { response, value: parse(new TextDecoder().decode(bytes)) };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Some nodes add an `error` of null. */
const isResult = (value: Record<string, unknown>) => 'result' in value && (value['error'] ?? null) === null;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unreadable(response: Response): EndpointFault {
  const { ok, status } = response;
  return ok
    ? malformed()
    : new EndpointFault(`returned status ${status}`, status === 413 ? 'refused' : 'broken', response);
}

/** Null as soon as the bytes are more than `most`. */
export async function readBytes({ body }: Response, most: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (const reader = body?.getReader(); reader !== undefined;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    if ((size += value.byteLength) <= most) continue;
    await reader.cancel();
    return null;
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}
