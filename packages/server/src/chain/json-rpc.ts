import { ChainUnavailable } from './port.ts';

/** A node answered a request with a JSON-RPC error. `message` is the node's, made safe to print. */
export class NodeError extends ChainUnavailable {
  override name = 'NodeError';
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export interface PostOptions {
  timeoutMs: number;
  maxBytes: number;
  fetch?: typeof fetch;
}

/** The only part of an RPC url that may be shown: its path, query and user info may hold a provider's key. */
export function hostOf(url: string): string {
  return new URL(url).host;
}

/** Replaces whatever a message repeats of an RPC url's secret parts, control characters and undue length. */
export function redact(message: string, url: string): string {
  const { username, password, pathname, search } = new URL(url);
  const secrets = [...pathname.split('/'), ...search.slice(1).split(/[&=]/), username, password];
  let safe = message;
  for (const secret of secrets.flatMap((part) => [part, decodeQuietly(part)])) {
    if (secret.length >= 4) safe = safe.replaceAll(secret, '***');
  }
  // eslint-disable-next-line no-control-regex
  return safe.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').slice(0, 300);
}

function decodeQuietly(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Posts one JSON body and answers the parsed JSON. The time limit covers the whole answer, the size limit its bytes.
 * @throws ChainUnavailable naming the host only
 */
export async function postJson(url: string, body: unknown, options: PostOptions): Promise<unknown> {
  const target = new URL(url);
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (target.username !== '') {
    const pair = `${decodeURIComponent(target.username)}:${decodeURIComponent(target.password)}`;
    headers['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`;
    target.username = target.password = '';
  }
  const signal = AbortSignal.timeout(options.timeoutMs);
  try {
    const response = await (options.fetch ?? fetch)(target, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal,
    });
    const text = await readLimited(response, options.maxBytes);
    return parse(text, response.status, url);
  } catch (error) {
    if (error instanceof ChainUnavailable) throw error;
    if (signal.aborted) throw new ChainUnavailable(`${hostOf(url)} did not answer in time`);
    throw new ChainUnavailable(`${hostOf(url)} cannot be reached (${errorCode(error)})`);
  }
}

async function readLimited(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxBytes) throw new ChainUnavailable('the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A JSON-RPC body counts whatever the HTTP status is: providers differ in which they send beside an error. */
function parse(text: string, status: number, url: string): unknown {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new ChainUnavailable(`${hostOf(url)} answered ${status} without JSON`);
  }
  if (typeof answer !== 'object' || answer === null) {
    throw new ChainUnavailable(`${hostOf(url)} answered ${status} without a JSON-RPC body`);
  }
  return answer;
}

function errorCode(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } };
  return typeof cause?.code === 'string' ? cause.code : 'network error';
}

/**
 * One JSON-RPC call to one endpoint.
 * @throws NodeError when the node answers an error, ChainUnavailable for everything else
 */
export async function callOnce(
  url: string,
  method: string,
  params: readonly unknown[],
  options: PostOptions,
): Promise<unknown> {
  const answer = (await postJson(url, { jsonrpc: '2.0', id: 1, method, params }, options)) as Record<
    string,
    unknown
  >;
  const error = answer['error'] as { code?: unknown; message?: unknown } | null | undefined;
  if (error !== undefined && error !== null) {
    const code = typeof error.code === 'number' ? error.code : 0;
    const message = typeof error.message === 'string' ? error.message : 'unknown error';
    throw new NodeError(code, redact(message, url));
  }
  if (!('result' in answer)) throw new ChainUnavailable(`${hostOf(url)} answered neither result nor error`);
  return answer['result'];
}
