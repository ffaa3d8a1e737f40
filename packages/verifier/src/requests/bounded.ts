// Limits of a request in time and size, also in browsers.

/** Never names the endpoint, because its URL may contain a key. */
export class EndpointFault extends Error {
  /** `refused`, `slow`, `large`: a narrower request may succeed; `busy`: a later one may */
  readonly kind: 'refused' | 'slow' | 'large' | 'busy' | 'broken';
  /** for `pauseOf`; null: none, or one that was understood */
  readonly response: Response | null;
  /** A rate limit or a fault of the server is temporary, whatever the kind. */
  constructor(message: string, kind: EndpointFault['kind'] = 'broken', response: Response | null = null) {
    super(message);
    this.kind = response !== null && (response.status === 429 || response.status >= 500) ? 'busy' : kind;
    this.response = response;
  }
}

/**
 * Ends the work even when `fetch` ignores its signal. The timer keeps a process of Node.js alive, which
 * `AbortSignal.timeout` does not.
 * @throws {EndpointFault} `slow`
 * @example
 * await withTimeout(1_000, async () => 5); // 5
 */
export async function withTimeout<T>(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new EndpointFault(`did not answer within ${milliseconds} ms`, 'slow')),
      milliseconds,
    );
  });
  try {
    return await Promise.race([work(controller.signal), timeout]);
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}

/**
 * Null as soon as the bytes are more than `most`.
 * @example
 * await readBytes(new Response('five!'), 4); // null
 */
export async function readBytes(
  { body }: Pick<Response, 'body'>,
  most: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (const reader = body?.getReader(); reader !== undefined;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    if ((size += value.byteLength) <= most) continue;
    await reader.cancel();
    return null;
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
