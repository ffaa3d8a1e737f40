import { readBytes, withTimeout } from '@svc/verifier/requests';
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
  try {
    return await withTimeout(timeoutMs, async (signal) => {
      const response = await fetch(url, { ...init, redirect: 'error', signal });
      const bytes = await readBytes(response, most);
      if (bytes === null) throw malformed(`its answer is longer than ${most} bytes`);
      return { status: response.status, bytes };
    });
  } catch (error) {
    if (error instanceof TimestampError) throw error;
    throw new TimestampError('unreachable', 'it cannot be reached, or does not answer in time');
  }
}
