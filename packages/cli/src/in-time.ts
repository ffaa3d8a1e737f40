/**
 * Runs a request with a time limit whose timer keeps the process alive. The fetch of Node.js 20 keeps no handle when a server accepts and
 * closes at once, and the timer of `AbortSignal.timeout` keeps none either, so the process would end with status 13 in silence.
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
