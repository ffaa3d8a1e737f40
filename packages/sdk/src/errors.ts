import type { ErrorCode, ErrorDetail, Etch } from '@svc/contract/types';
import { misfitWords } from '@svc/verifier/answers';
import type { Misfit } from '@svc/verifier/answers';

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
 * The service refused (docs/specification.md#errors). `code` is one of the contract's nine, or `unexpected`
 * when the answer is not the service's: a proxy's page, a redirect, another program on the port.
 */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode | 'unexpected';
  /** of HTTP */
  readonly status: number;
  /** issues by field; empty when there are none */
  readonly details: readonly ErrorDetail[];
  /** seconds after which the service asks to be called again, or null */
  readonly retryAfter: number | null;
  /** names the request in the service's log, or null */
  readonly requestId: string | null;
  /** the service’s clock by the `Date` header of the answer, in milliseconds since 1970, or null: a wrong local clock is a cause of refusals */
  readonly serverTime: number | null;
  /** the Idempotency-Key that the request carried, or null: after a 5xx nobody knows whether it was carried out */
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
 * The service answered, and its answer does not fit the request, your pins, or itself: the service or a proxy changed a value, or broke
 * a promise. Keep `answer`: it is the evidence. `code` is `unexpected`.
 */
export class MisfitError extends ApiError {
  override name = 'MisfitError';
  /** the operation's id */
  readonly operation: string;
  /** each field that does not fit, with the expected and the shown value */
  readonly misfits: readonly Misfit[];
  /** the whole answer, as it was received */
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

/** An answer that is judged later has to be of the etch that was named. @throws {MisfitError} */
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

/** No answer came: nobody listens, the connection broke, or the time for an answer is over. */
export class ConnectionError extends Error {
  override name = 'ConnectionError';
  /** may the service have carried the request out although no answer came? */
  readonly mayHaveHappened: boolean;
  /** the Idempotency-Key that the request carried: with it the same request can be repeated safely; null when it had none */
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
 * The Idempotency-Key of a new etch was used before, and the etch it made was retracted since: nothing was etched now. To
 * etch the text again, send it with another key.
 */
export class RetractedError extends Error {
  override name = 'RetractedError';
  /** the tombstone */
  readonly etch: Etch;
  readonly idempotencyKey: string | null;
  constructor(etch: Etch, idempotencyKey: string | null) {
    super(`this Idempotency-Key made etch ${etch.id}, which was retracted since: nothing was etched now`);
    this.etch = etch;
    this.idempotencyKey = idempotencyKey;
  }
}

/** Waiting ended without what was waited for: the time is over, or it can no longer come. */
export class WaitError extends Error {
  override name = 'WaitError';
  readonly reason: 'timeout' | 'retracted';
  constructor(message: string, reason: 'timeout' | 'retracted') {
    super(message);
    this.reason = reason;
  }
}
