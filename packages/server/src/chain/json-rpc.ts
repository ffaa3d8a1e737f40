// One JSON-RPC call, bounded in time and size, and strict decoders of its answer. Messages name only the endpoint's
// host.
import { escapeInvisibleInLine } from '@svc/protocol';
import {
  type Endpoint,
  EndpointFault as RequestFault,
  type JsonAnswer,
  pauseOf,
  postJson,
  splitCredentials,
  withTimeout,
} from '@svc/verifier/requests';
import { type Block, ChainUnavailable, type Hex } from './port.ts';

/** `message` is the node's, safe to print. */
export class NodeError extends ChainUnavailable {
  override name = 'NodeError';
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Unreachable (`down`), late (`slow`), too many requests (`busy`), too long (`large`). */
export class EndpointFault extends ChainUnavailable {
  override name = 'EndpointFault';
  readonly kind: 'down' | 'slow' | 'busy' | 'large';
  readonly retryAfterMs: number | undefined;
  constructor(message: string, kind: EndpointFault['kind'], retryAfterMs?: number) {
    super(message);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

/** A working node reports that the call itself fails. */
export function isRevert(error: unknown): error is NodeError {
  return error instanceof NodeError && (error.code === 3 || /revert/i.test(error.message));
}

export interface PostOptions {
  timeoutMs: number;
  maxBytes: number;
  fetch?: typeof fetch;
}

/** Path, query and user info may contain a key. */
export const hostOf = (url: string): string => new URL(url).host;

/** One short line without secret parts of the URL; invisible characters become code points. */
export function redact(message: string, url: string): string {
  const { username, password, pathname, search } = new URL(url);
  const secrets = [...pathname.split('/'), ...search.slice(1).split(/[&=]/), username, password];
  let safe = message;
  for (const secret of secrets.flatMap((part) => [part, decodeQuietly(part)])) {
    if (secret.length >= 4) safe = safe.replaceAll(secret, '***');
  }
  return escapeInvisibleInLine(safe.slice(0, 300));
}

function decodeQuietly(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** @throws EndpointFault that names only the host */
async function exchange(url: string, body: unknown, options: PostOptions): Promise<JsonAnswer> {
  const { timeoutMs, ...limits } = options;
  try {
    // The operator named this host, and trusts where it leads.
    const endpoint: Endpoint = { ...limits, ...splitCredentials(url), redirect: 'follow' };
    return await withTimeout(timeoutMs, (signal) => postJson(endpoint, signal, body));
  } catch (error) {
    if (!(error instanceof RequestFault))
      throw new EndpointFault(`${hostOf(url)} cannot be reached (${errorCode(error)})`, 'down');
    throw new EndpointFault(`${hostOf(url)} ${error.message}`, error.kind === 'large' ? 'large' : 'slow');
  }
}

const tooMuch = (url: string, words: string, retryAfterMs: number | undefined): EndpointFault =>
  new EndpointFault(`${hostOf(url)} rejects requests as too many (${words})`, 'busy', retryAfterMs);

const ASKED_TOO_MUCH =
  /rate.?limit|too many requests|request (count|rate|limit)|(request|credit|unit|capacity|quota)s?.{0,40}exceeded|exceeded.{0,40}(request|credit|unit|capacity|quota|per second)/i;

/** Decides by the providers' words: an error about too many logs has the same codes. */
function isAskedTooMuch(status: number, code: number, message: string): boolean {
  if (/result|range|logs|response size/i.test(message)) return false;
  return status === 429 || code === 429 || code === -32005 || ASKED_TOO_MUCH.test(message);
}

function errorCode(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } };
  return typeof cause?.code === 'string' ? cause.code : 'network error';
}

export async function callOnce(
  url: string,
  method: string,
  params: readonly unknown[],
  options: PostOptions,
): Promise<unknown> {
  const request = { jsonrpc: '2.0', id: 1, method, params };
  const { response, value } = await exchange(url, request, options);
  const { status } = response;
  const retryAfterMs = pauseOf(response);
  if (typeof value !== 'object' || value === null) {
    if (status === 429) throw tooMuch(url, 'status 429', retryAfterMs);
    throw new EndpointFault(`${hostOf(url)} answered ${status} without a JSON-RPC body`, 'down');
  }
  const answer = value as Record<string, unknown>;
  const error = answer['error'] as { code?: unknown; message?: unknown } | null | undefined;
  if (error !== undefined && error !== null) {
    const code = typeof error.code === 'number' ? error.code : 0;
    const message = redact(typeof error.message === 'string' ? error.message : 'unknown error', url);
    if (isAskedTooMuch(status, code, message)) throw tooMuch(url, message, retryAfterMs);
    throw new NodeError(code, message);
  }
  if (!('result' in answer))
    throw new EndpointFault(`${hostOf(url)} returned neither a result nor an error`, 'down');
  return answer['result'];
}

const QUANTITY = /^0x[0-9a-f]{1,64}$/i;

export function toBigInt(value: unknown): bigint {
  if (typeof value !== 'string' || !QUANTITY.test(value)) throw unexpectedAnswer('a quantity');
  return BigInt(value);
}

export function toNumber(value: unknown): number {
  const number = Number(toBigInt(value));
  if (!Number.isSafeInteger(number)) throw unexpectedAnswer('a quantity');
  return number;
}

export function toHash(value: unknown): Hex {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{64}$/i.test(value)) throw unexpectedAnswer('a hash');
  return value.toLowerCase() as Hex;
}

export function toBytes(value: unknown): Hex {
  if (typeof value !== 'string' || value.length % 2 !== 0 || !/^0x[0-9a-f]*$/i.test(value))
    throw unexpectedAnswer('bytes');
  return value.toLowerCase() as Hex;
}

export function toRecord(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw unexpectedAnswer('an object');
  return value as Record<string, unknown>;
}

export function toBlock(value: unknown): Block {
  const block = toRecord(value);
  return {
    number: toNumber(block['number']),
    hash: toHash(block['hash']),
    timestamp: toNumber(block['timestamp']),
    // without a base fee any fee will do
    baseFeePerGas: block['baseFeePerGas'] === undefined ? 0n : toBigInt(block['baseFeePerGas']),
  };
}

export const unexpectedAnswer = (expected: string): ChainUnavailable =>
  new ChainUnavailable(`the node answered nonsense where ${expected} was expected`);
