import type { ReadableStream } from 'node:stream/web';
import { usageError } from './exit.ts';

/** @returns null as soon as the bytes are more than `most` */
export async function bounded(from: AsyncIterable<Uint8Array>, most: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of from) {
    size += chunk.length;
    if (size > most) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Follows no redirect. @throws without an answer in time */
export const fetchBounded = (url: URL | string, most: number, patienceMs: number): Promise<Fetched> =>
  inTime(patienceMs, async (signal) => fetched(await fetch(url, { redirect: 'error', signal }), most));

/** `bytes` is null for an error, and for more than the limit. */
export interface Fetched {
  status: number;
  isOk: boolean;
  bytes: Buffer | null;
}

export async function fetched(response: Response, most: number): Promise<Fetched> {
  const { status, ok: isOk, body } = response;
  if (!isOk) {
    // An unread body keeps the connection, and so the process.
    await body?.cancel();
    return { status, isOk, bytes: null };
  }
  const bytes = body === null ? Buffer.alloc(0) : await bounded(body as ReadableStream<Uint8Array>, most);
  return { status, isOk, bytes };
}

/**
 * The timer keeps the process alive. The fetch of Node.js 20 and `AbortSignal.timeout` do not: the process would
 * end with status 13 and no message.
 */
export async function inTime<T>(
  milliseconds: number,
  request: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(
    () => limit.abort(new DOMException(`no answer within ${milliseconds} ms`, 'TimeoutError')),
    milliseconds,
  );
  try {
    return await request(limit.signal);
  } finally {
    clearTimeout(timer);
  }
}

const PROXY_VARIABLES = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'] as const;

let inUse: readonly string[] = [];

export const proxiesInUse = (): readonly string[] => inUse;

/**
 * The fetch of Node.js 20 ignores proxies. Errors name the variable, never its value, which may contain a
 * password.
 */
export async function useProxies(env: NodeJS.ProcessEnv): Promise<void> {
  const named = PROXY_VARIABLES.filter((name) => env[name]);
  if (named.length === 0) return;
  for (const name of named) refuseUnusable(name, env[name]!);
  // CommonJS: a bundler has only its default export.
  const { default: undici } = await import('undici');
  const [httpProxy, httpsProxy, noProxy] = [
    env['http_proxy'] || env['HTTP_PROXY'] || '',
    env['https_proxy'] || env['HTTPS_PROXY'] || '',
    env['no_proxy'] || env['NO_PROXY'] || '',
  ];
  // Plain http without CONNECT, as curl does: many proxies allow CONNECT to port 443 only.
  const dispatcher = new undici.EnvHttpProxyAgent({ httpProxy, httpsProxy, noProxy, proxyTunnel: false });
  inUse = named;
  globalThis.fetch = ((input: string | URL, init?: RequestInit) =>
    undici.fetch(input, { ...(init as object), dispatcher })) as typeof globalThis.fetch;
}

function refuseUnusable(name: string, value: string): void {
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return;
  throw usageError(
    `${name} is not an http or https url (http://proxy.example.org:3128); correct it, or unset it`,
  );
}
