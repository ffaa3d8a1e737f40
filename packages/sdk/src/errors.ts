import type { ErrorCode, ErrorDetail, Etch } from '@svc/contract/types';
import { misfitWords } from '@svc/verifier/misfit';
import type { Misfit } from '@svc/verifier/misfit';

/** Details of an answer that is not a success. */
export interface ApiErrorFacts {
  code: ErrorCode | 'unexpected';
  status: number;
  details?: readonly ErrorDetail[];
  retryAfter?: number | null;
  requestId?: string | null;
  serverTime?: number | null;
  idempotencyKey?: string | null;
}

/**
 * The service rejected the request (docs/specification.md#errors). `code` is one of the contract's nine, or `unexpected` when the answer is
 * not from the service: a proxy's page, a redirect, another program on the port.
 */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode | 'unexpected';
  /** the HTTP status */
  readonly status: number;
  /** issues by field; empty when there are none */
  readonly details: readonly ErrorDetail[];
  /** seconds to wait before a retry, or null */
  readonly retryAfter: number | null;
  /** names the request in the service's log, or null */
  readonly requestId: string | null;
  /** the service’s clock from the `Date` header, in milliseconds since 1970, or null: a wrong local clock can cause the error */
  readonly serverTime: number | null;
  /** the Idempotency-Key of the request, or null; after a 5xx use it to retry, because the request may have been carried out */
  readonly idempotencyKey: string | null;
  constructor(message: string, facts: ApiErrorFacts) {
    super(message);
    this.code = facts.code;
    this.status = facts.status;
    this.details = facts.details ?? [];
    this.retryAfter = facts.retryAfter ?? null;
    this.requestId = facts.requestId ?? null;
    this.serverTime = facts.serverTime ?? null;
    this.idempotencyKey = facts.idempotencyKey ?? null;
  }
}

/**
 * The answer contradicts the request, your pins, or itself: the service or a proxy changed a value, or broke a promise. Store `answer` as
 * evidence. `code` is `unexpected`.
 */
export class MisfitError extends ApiError {
  override name = 'MisfitError';
  /** the operation's id */
  readonly operation: string;
  /** each field that does not fit, with the expected and the shown value */
  readonly misfits: readonly Misfit[];
  /** the whole answer */
  readonly answer: unknown;
  constructor(
    facts: Pick<ApiErrorFacts, 'status' | 'idempotencyKey'> & {
      operation: string;
      misfits: readonly Misfit[];
      answer: unknown;
    },
  ) {
    super(`the answer to ${facts.operation} does not fit the request: ${misfitWords(facts.misfits)}`, {
      code: 'unexpected',
      status: facts.status,
      idempotencyKey: facts.idempotencyKey ?? null,
    });
    this.operation = facts.operation;
    this.misfits = facts.misfits;
    this.answer = facts.answer;
  }
}

/** @throws {MisfitError} when an answer that is checked later is of another etch */
export function refuseOther(
  operation: string,
  field: string,
  shown: string,
  id: string,
  answer: unknown,
): void {
  const expected = id.toLowerCase();
  if (shown !== expected)
    throw new MisfitError({ operation, misfits: [{ field, expected, shown }], answer, status: 200 });
}

/** No answer: the connection failed, or the time limit passed. */
export class ConnectionError extends Error {
  override name = 'ConnectionError';
  /** true when the service may have carried out the request */
  readonly mayHaveHappened: boolean;
  /** the Idempotency-Key of the request, with which a retry is safe; null when it had none */
  readonly idempotencyKey: string | null;
  constructor(
    message: string,
    options: { cause: unknown; mayHaveHappened: boolean; idempotencyKey?: string | null },
  ) {
    super(message, { cause: options.cause });
    this.mayHaveHappened = options.mayHaveHappened;
    this.idempotencyKey = options.idempotencyKey ?? null;
  }
}

/**
 * The Idempotency-Key was used before, and its etch is retracted. Nothing was etched. To etch the text again, use another key.
 */
export class RetractedError extends Error {
  override name = 'RetractedError';
  /** the tombstone */
  readonly etch: Etch;
  readonly idempotencyKey: string | null;
  constructor(etch: Etch, idempotencyKey: string | null) {
    super(`this Idempotency-Key made etch ${etch.id}, which is retracted; nothing was etched now`);
    this.etch = etch;
    this.idempotencyKey = idempotencyKey;
  }
}

/** The wait ended early: the time limit passed, or the event can no longer happen. */
export class WaitError extends Error {
  override name = 'WaitError';
  readonly reason: 'timeout' | 'retracted';
  constructor(message: string, reason: 'timeout' | 'retracted') {
    super(message);
    this.reason = reason;
  }
}
