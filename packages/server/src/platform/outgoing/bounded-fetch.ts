const PATIENCE_MS = 5_000;
const MOST_BYTES = 512 * 1024;

export class ProviderUnreachable extends Error {
  override name = 'ProviderUnreachable';
}

export async function fetchJson(
  url: string,
  init: { method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: string } = {},
): Promise<{ status: number; body: unknown }> {
  try {
    const response = await fetch(url, {
      ...init,
      headers: { accept: 'application/json', ...init.headers },
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await readBounded(response);
    return { status: response.status, body: parseJson(text) };
  } catch (error) {
    // The cause names addresses: for the log only.
    throw new ProviderUnreachable(`${new URL(url).origin} cannot be reached`, { cause: error });
  }
}

/** openid-client defines this signature. */
export type BoundedFetch = (url: string, init: BoundedInit) => Promise<Response>;

export interface BoundedInit {
  method: string;
  headers: Record<string, string>;
  body?: unknown;
}

export async function boundedFetch(url: string, init: BoundedInit): Promise<Response> {
  const { origin } = new URL(url);
  try {
    const response = await fetch(url, {
      method: init.method,
      headers: init.headers,
      body: (init.body ?? null) as RequestInit['body'] & null,
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await readBounded(response);
    if (response.status >= 500) throw new Error(`it answered ${response.status}`);
    const { status, headers } = response;
    return new Response(status === 204 || status === 304 ? null : text, { status, headers });
  } catch (error) {
    throw new ProviderUnreachable(`${origin} cannot be reached`, { cause: error });
  }
}

export async function readBounded(response: Response, most = MOST_BYTES): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > most) throw new Error(`the answer is longer than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
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
