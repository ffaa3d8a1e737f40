/**
 * Runs a request with a time limit whose timer keeps the process alive. Neither the fetch of Node.js 20, when a server accepts and closes at
 * once, nor the timer of `AbortSignal.timeout` does, so the process would end with status 13 and no message.
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
