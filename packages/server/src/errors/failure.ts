import type { ErrorCode } from '@svc/contract';

export interface Detail {
  path: string;
  message: string;
}

/** A request that cannot be served: one of the nine codes, and a message that says what to do. */
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

/** An allowance or a meter is exhausted (429); times in whole seconds. */
export class RateLimited extends Failure {
  readonly limit: number;
  readonly retryAfter: number;
  /** seconds until `limit` is there again in full */
  readonly reset: number;
  constructor(message: string, limit: number, retryAfter: number, reset = retryAfter) {
    super('rate_limited', message);
    this.limit = limit;
    this.retryAfter = retryAfter;
    this.reset = reset;
  }
}

/** A body, query or path that the contract refuses at one place. */
export function badField(path: string, message: string): Failure {
  return new Failure('bad_request', `${path} ${message}`, [{ path, message }]);
}
