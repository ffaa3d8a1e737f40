import type { ErrorEnvelope } from '@svc/contract/types';
import { readBytes as readBounded } from '@svc/verifier/requests';
import { ApiError } from './errors.ts';

const refused = (response: Response, path: string, message: string) =>
  new ApiError(`${path}: ${message}`, { code: 'unexpected', status: response.status });

export async function readBytes(response: Response, path: string, most: number): Promise<Uint8Array> {
  const bytes = await readBounded(response, most);
  if (bytes === null) throw refused(response, path, 'the answer is longer than any answer of a service');
  return bytes;
}

export function toText(response: Response, bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refused(response, path, 'the answer is not UTF-8');
  }
}

/** @param has a field of every answer; undefined for documents without one */
export function readAnswer(
  response: Response,
  text: string,
  idempotencyKey: string | null,
  has: string | undefined,
  serverTime: number | null = null,
): unknown {
  const value = parse(text);
  const isJson = typeof value === 'object' && value !== null;
  if (response.ok && isJson && (has === undefined || holds(value, has))) return value;
  const facts = {
    status: response.status,
    retryAfter: readRetryAfter(response.headers.get('retry-after')),
    requestId: response.headers.get('x-request-id'),
    serverTime,
    idempotencyKey,
  };
  const error = (value as Partial<ErrorEnvelope> | undefined)?.error;
  if (!response.ok && typeof error?.code === 'string' && typeof error.message === 'string')
    throw new ApiError(error.message, {
      ...facts,
      code: error.code,
      ...(error.details === undefined ? {} : { details: error.details }),
    });
  const redirects = response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400);
  throw new ApiError(
    redirects
      ? 'the service redirects; use the url that it redirects to as baseUrl'
      : 'the answer is not that of a service; check baseUrl',
    { ...facts, code: 'unexpected' },
  );
}

const holds = (value: object, name: string): boolean =>
  Object.hasOwn(value, name) && (value as Record<string, unknown>)[name] != null;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Seconds, or an HTTP date (RFC 9110). */
function readRetryAfter(header: string | null): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

/** Estimated from the `Date` headers of the answers. */
export interface ServiceClock {
  /** milliseconds since 1970; the local clock before the first `Date` header */
  readonly now: () => number;
  read(headers: Headers, sentAt: number): number | null;
}

export function makeServiceClock(): ServiceClock {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    read(headers, sentAt) {
      const date = Date.parse(headers.get('date') ?? '');
      if (Number.isNaN(date)) return null;
      // A cache's `Age` counts the seconds since the service answered (RFC 9111).
      const age = /^\d{1,9}$/.exec(headers.get('age') ?? '')?.[0] ?? 0;
      const earliest = date + Number(age) * 1000;
      const local = Date.now();
      // A local clock within the precision of the header and the duration of the request counts as correct.
      const latest = earliest + 1000 + Math.max(0, local - sentAt);
      ahead = Math.min(Math.max(local, earliest), latest) - local;
      return earliest;
    },
  };
}
