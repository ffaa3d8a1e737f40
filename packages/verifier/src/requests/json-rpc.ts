// One exchange of JSON-RPC over HTTP. Verifier and service share it; what an error of the node means, each decides
// itself (docs/decisions/0032-one-json-rpc-exchange.md).
import { EndpointFault, readBytes } from './bounded.ts';

export interface Endpoint {
  /** without credentials, which `fetch` rejects: see `splitCredentials` */
  url: string | URL;
  headers?: Record<string, string> | undefined;
  maxBytes: number;
  fetch?: typeof globalThis.fetch | undefined;
  /** default `manual`: a redirect could lead to a host that the caller did not name */
  redirect?: RequestRedirect;
}

export interface JsonAnswer {
  /** its body was read */
  response: Response;
  /** undefined: not JSON */
  value: unknown;
}

/**
 * `fetch` rejects a URL with a name and a password, so they become a header. Not for browsers, whose scripts are small.
 * @throws {RangeError} on credentials that are not percent-encoded
 * @example
 * splitCredentials('http://user:pass@127.0.0.1:8545').headers.authorization; // 'Basic dXNlcjpwYXNz'
 */
export function splitCredentials(of: string): { url: URL; headers: Record<string, string> } {
  const url = new URL(of);
  const { username, password } = url;
  if (username + password === '') return { url, headers: {} };
  url.username = url.password = '';
  try {
    const login = new TextEncoder().encode(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
    return { url, headers: { authorization: `Basic ${btoa(String.fromCharCode(...login))}` } };
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
 * (await postJson(endpoint, AbortSignal.timeout(5_000), request)).response.status; // 200
 */
export async function postJson(
  { url, headers, maxBytes, fetch = globalThis.fetch, redirect = 'manual' }: Endpoint,
  signal: AbortSignal,
  body: unknown,
): Promise<JsonAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect,
    signal,
  });
  const bytes = await readBytes(response, maxBytes);
  if (bytes === null) throw new EndpointFault('returned too long an answer', 'large');
  return { response, value: parse(new TextDecoder().decode(bytes)) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * `Retry-After` in milliseconds, if it is a number of seconds.
 * @example
 * pauseOf(new Response(null, { headers: { 'retry-after': '5' } })); // 5000
 */
export function pauseOf(response: Response | null): number | undefined {
  const seconds = response?.headers.get('retry-after') ?? '';
  return /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}
