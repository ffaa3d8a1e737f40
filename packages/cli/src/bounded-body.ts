import type { ReadableStream } from 'node:stream/web';
import { inTime } from './in-time.ts';

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
