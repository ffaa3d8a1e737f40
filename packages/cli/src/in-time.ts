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
