// One exchange of JSON-RPC over HTTP. Verifier and service share it; what an error of the node means, each decides
// itself (docs/decisions/0032-one-json-rpc-exchange.md).
import { EndpointFault, readBytes } from './bounded.ts';

export interface Endpoint {
  url: string;
  maxBytes: number;
  fetch?: typeof globalThis.fetch | undefined;
  /** default `manual`: a redirect could lead to a host that the caller did not name */
  redirect?: RequestRedirect;
}

export interface JsonAnswer {
  status: number;
  /** undefined: not JSON */
  value: unknown;
  retryAfterMs: number | undefined;
}

/**
 * `fetch` rejects a URL with a name and a password: they become a header.
 * @throws {RangeError} on credentials that are not percent-encoded
 * @example
 * splitCredentials('http://user:pass@127.0.0.1:8545').headers.authorization; // 'Basic dXNlcjpwYXNz'
 */
export function splitCredentials(url: string): { target: URL; headers: { authorization?: string } } {
  const target = new URL(url);
  const { username, password } = target;
  if (username + password === '') return { target, headers: {} };
  target.username = target.password = '';
  try {
    const login = new TextEncoder().encode(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
    return { target, headers: { authorization: `Basic ${btoa(String.fromCharCode(...login))}` } };
  } catch {
    throw new RangeError('the credentials in a URL are not percent-encoded');
  }
}

/**
 * @param body one request of JSON-RPC, or a batch
 * @throws {EndpointFault} `large`; and what `fetch` throws
 * @example
 * const request = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] };
 * const endpoint = { url: 'http://127.0.0.1:8545', maxBytes: 1_000 };
 * (await postJson(endpoint, AbortSignal.timeout(5_000), request)).status; // 200
 */
export async function postJson(
  { url, maxBytes, fetch = globalThis.fetch, redirect = 'manual' }: Endpoint,
  signal: AbortSignal,
  body: unknown,
): Promise<JsonAnswer> {
  const { target, headers } = splitCredentials(url);
  const response = await fetch(target, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    redirect,
    signal,
  });
  const bytes = await readBytes(response, maxBytes);
  if (bytes === null) throw new EndpointFault('returned too long an answer', 'large');
  return {
    status: response.status,
    value: parse(new TextDecoder().decode(bytes)),
    retryAfterMs: pauseOf(response),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function pauseOf({ headers }: Response): number | undefined {
  const seconds = headers.get('retry-after') ?? '';
  return /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}
