import type { ReadableStream } from 'node:stream/web';

/** Null when larger than `most` bytes. */
export async function boundedBody(response: Response, most: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const body = response.body as ReadableStream<Uint8Array> | null;
  if (body === null) return Buffer.alloc(0);
  // Leaving the loop cancels the rest.
  for await (const chunk of body) {
    size += chunk.length;
    if (size > most) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
