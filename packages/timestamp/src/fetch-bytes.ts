import { concatBytes } from '@noble/hashes/utils.js';
import { malformed, TimestampError } from './timestamp-error.ts';

export interface FetchOptions {
  timeoutMs: number;
  fetch?: typeof globalThis.fetch;
}

/**
 * Follows no redirect.
 * @throws {TimestampError} `unreachable`, or `malformed` (longer than `most`)
 */
export async function fetchBytes(
  url: string,
  init: RequestInit,
  most: number,
  { timeoutMs, fetch = globalThis.fetch }: FetchOptions,
): Promise<{ status: number; bytes: Uint8Array<ArrayBuffer> }> {
  // The fetch of Node.js 20 and `AbortSignal.timeout` do not keep a process alive.
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), timeoutMs);
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: limit.signal });
    return { status: response.status, bytes: await bounded(response, most) };
  } catch (error) {
    if (error instanceof TimestampError) throw error;
    throw new TimestampError('unreachable', 'it cannot be reached, or does not answer in time');
  } finally {
    clearTimeout(timer);
  }
}

async function bounded({ body }: Response, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > most) throw malformed(`its answer is longer than ${most} bytes`);
    chunks.push(chunk);
  }
  return concatBytes(...chunks);
}
