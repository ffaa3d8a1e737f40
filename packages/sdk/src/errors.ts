import type { ErrorCode, ErrorDetail, Etch } from '@svc/contract/types';
import { type Misfit, misfitWords } from '@svc/verifier/misfit';

type ApiErrorFacts = Pick<ApiError, 'code' | 'status'> &
  Partial<Pick<ApiError, 'details' | 'retryAfter' | 'requestId' | 'serverTime' | 'idempotencyKey'>>;

/**
 * The service rejected the request (docs/specification.md#errors). `unexpected`: a proxy, a redirect or a
 * different program answered.
 */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode | 'unexpected';
  readonly status: number;
  /** issues by field */
  readonly details: readonly ErrorDetail[];
  /** seconds */
  readonly retryAfter: number | null;
  /** in the service's log */
  readonly requestId: string | null;
  /** milliseconds since 1970; a wrong local clock can cause the error */
  readonly serverTime: number | null;
  /** after a 5xx, retry with this key: the request may have been carried out */
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

/** The answer contradicts the request, your pins, or itself. Store `answer` as evidence. */
export class MisfitError extends ApiError {
  override name = 'MisfitError';
  /** operation id */
  readonly operation: string;
  readonly misfits: readonly Misfit[];
  readonly answer: unknown;
  constructor(
    facts: Pick<MisfitError, 'status' | 'operation' | 'misfits' | 'answer'> &
      Pick<ApiErrorFacts, 'idempotencyKey'>,
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

/** @throws {MisfitError} when `shown` is not `id` */
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

/** The connection failed, or the time limit passed. */
export class ConnectionError extends Error {
  override name = 'ConnectionError';
  /** the service may have carried out the request */
  readonly mayHaveHappened: boolean;
  /** makes a retry safe */
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

/** The etch of this Idempotency-Key is retracted. To etch the text again, use a new key. */
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

/** The time limit passed, or the event can no longer happen. */
export class WaitError extends Error {
  override name = 'WaitError';
  readonly reason: 'timeout' | 'retracted';
  constructor(message: string, reason: 'timeout' | 'retracted') {
    super(message);
    this.reason = reason;
  }
}
