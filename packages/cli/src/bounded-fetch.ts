import type { ReadableStream } from 'node:stream/web';

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
  if (!isOk) return { status, isOk, bytes: null };
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
