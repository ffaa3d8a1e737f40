import { readBytes } from '@svc/verifier/requests';

const PATIENCE_MS = 5_000;
const MOST_BYTES = 512 * 1024;

export class ProviderUnreachable extends Error {
  override name = 'ProviderUnreachable';
}

/** The cause names addresses: for the log only. */
async function request(url: string, init: RequestInit): Promise<{ response: Response; text: string }> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) });
    return { response, text: await readBounded(response) };
  } catch (cause) {
    throw new ProviderUnreachable(`${new URL(url).origin} cannot be reached`, { cause });
  }
}

export async function fetchJson(
  url: string,
  init: { method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: string } = {},
): Promise<{ status: number; body: unknown }> {
  const headers = { accept: 'application/json', ...init.headers };
  const { response, text } = await request(url, { ...init, headers, redirect: 'error' });
  return { status: response.status, body: parseJson(text) };
}

/** openid-client defines this signature. */
export type BoundedFetch = (url: string, init: BoundedInit) => Promise<Response>;

export interface BoundedInit {
  method: string;
  headers: Record<string, string>;
  body?: unknown;
}

export async function boundedFetch(url: string, { method, headers, body }: BoundedInit): Promise<Response> {
  const init: RequestInit = { method, headers, body: (body ?? null) as RequestInit['body'] & null };
  const { response, text } = await request(url, { ...init, redirect: 'manual' });
  const { status } = response;
  if (status >= 500)
    throw new ProviderUnreachable(`${new URL(url).origin} cannot be reached`, {
      cause: new Error(`it answered ${status}`),
    });
  return new Response([204, 205, 304].includes(status) ? null : text, { status, headers: response.headers });
}

export async function readBounded(response: Response, most = MOST_BYTES): Promise<string> {
  const bytes = await readBytes(response, most);
  if (bytes === null) throw new Error(`the answer is longer than ${most} bytes`);
  return Buffer.from(bytes).toString('utf8');
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `..` and `/` must not change the path. */
export function pathSegment(text: string): string {
  if (text === '.' || text === '..') throw new ProviderUnreachable('the subject cannot be part of a path');
  return encodeURIComponent(text);
}

export function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
