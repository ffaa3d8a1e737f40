import type { ErrorCode } from '@svc/contract';

export interface Detail {
  path: string;
  message: string;
}

/** A request that fails with one of the nine codes and a message that says what to do. */
export class Failure extends Error {
  override name = 'Failure';
  readonly code: ErrorCode;
  readonly details: readonly Detail[] | undefined;
  constructor(code: ErrorCode, message: string, details?: readonly Detail[]) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** A rate limit is exhausted (429). Times are whole seconds. */
export class RateLimited extends Failure {
  readonly limit: number;
  readonly retryAfter: number;
  /** seconds until the full `limit` is available again */
  readonly reset: number;
  constructor(message: string, limit: number, retryAfter: number, reset = retryAfter) {
    super('rate_limited', message);
    this.limit = limit;
    this.retryAfter = retryAfter;
    this.reset = reset;
  }
}

/** A body, query or path is invalid at `path`. */
export function badField(path: string, message: string): Failure {
  return new Failure('bad_request', `${path} ${message}`, [{ path, message }]);
}
