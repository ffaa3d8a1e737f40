import type { ReadableStream } from 'node:stream/web';

export async function boundedBody(response: Response, most: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const body = response.body as ReadableStream<Uint8Array> | null;
  if (body === null) return Buffer.alloc(0);
  for await (const chunk of body) {
    size += chunk.length;
    if (size > most) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Follows no redirect. @returns bytes null when larger than `most` @throws without an answer in time */
export const fetchBounded = (
  url: URL | string,
  most: number,
  patienceMs: number,
): Promise<{ status: number; bytes: Buffer | null }> =>
  inTime(patienceMs, async (signal) => {
    const response = await fetch(url, { redirect: 'error', signal });
    return { status: response.status, bytes: await boundedBody(response, most) };
  });

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
