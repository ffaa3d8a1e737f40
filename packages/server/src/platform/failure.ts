import type { ErrorCode } from '@svc/contract';

export interface Detail {
  path: string;
  message: string;
}

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

export class RateLimited extends Failure {
  readonly limit: number;
  readonly retryAfter: number;
  /** until the full `limit` is available again */
  readonly reset: number;
  constructor(message: string, limit: number, retryAfter: number, reset = retryAfter) {
    super('rate_limited', message);
    this.limit = limit;
    this.retryAfter = retryAfter;
    this.reset = reset;
  }
}

/** Says when to try again. */
export class Unavailable extends Failure {
  /** in seconds */
  readonly retryAfter: number;
  constructor(message: string, retryAfter: number) {
    super('service_unavailable', `${message}: try again in ${retryAfter} seconds`);
    this.retryAfter = retryAfter;
  }
}

export const badField = (path: string, message: string): Failure =>
  new Failure('bad_request', `${path} ${message}`, [{ path, message }]);
