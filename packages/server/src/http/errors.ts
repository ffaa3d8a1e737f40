import { type ErrorCode, STATUS_OF } from '@svc/contract';
import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ChainUnavailable } from '../chain/port.ts';
import { DatabaseUnavailable, StatementFailed } from '../db/db.ts';
import { Failure, RateLimited } from '../platform/failure.ts';

/** These statuses keep their number with the code `bad_request` (docs/specification.md#envelope). */
const OWN_STATUS = new Set([405, 413, 415]);

const FRAMEWORK_MESSAGES: Readonly<Record<string, string>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'the body is larger than the service takes',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'send the body as application/json in UTF-8',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'the body does not have the length that Content-Length says',
  CODED_BODY: 'send the body as it is, without a Content-Encoding',
  FST_ERR_BAD_URL: 'the URL is not validly encoded',
};

export class CodedBody extends Error {
  readonly statusCode = 415;
  readonly code = 'CODED_BODY';
}

/** SQLSTATEs of timeouts, deadlocks and full disks. The transaction wrote nothing. */
const BUSY = /^(57014|40001|40P01|55P03|53\w{3})$/;

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const failure = answerFailure(error, request, reply);
  void reply
    .header('Content-Type', 'application/json; charset=utf-8')
    .send(JSON.stringify(envelope(failure)));
}

export function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): Failure {
  const { status, failure } = toFailure(error, request.log);
  if (failure instanceof RateLimited) {
    void reply.header('Retry-After', failure.retryAfter);
    // The key's meter may have set these headers; show the limit that was exceeded.
    void reply.header('X-RateLimit-Limit', failure.limit);
    void reply.header('X-RateLimit-Remaining', 0);
    void reply.header('X-RateLimit-Reset', failure.reset);
  }
  if (failure.code === 'unauthorized') void reply.header('WWW-Authenticate', 'Bearer');
  if (failure.code === 'service_unavailable') void reply.header('Retry-After', 1);
  void reply.code(status).header('X-Request-Id', request.id).header('Cache-Control', 'no-store');
  return failure;
}

export function envelope(failure: Failure): {
  error: { code: ErrorCode; message: string; details?: Failure['details'] };
} {
  const { code, message, details } = failure;
  return { error: { code, message, ...(details?.length ? { details } : {}) } };
}

function toFailure(error: unknown, log: FastifyBaseLogger): { status: number; failure: Failure } {
  if (error instanceof Failure) return { status: STATUS_OF[error.code], failure: error };
  if (error instanceof DatabaseUnavailable) {
    return unavailable(
      'the database cannot be reached: try again; a write with an Idempotency-Key is safe to repeat',
    );
  }
  if (error instanceof StatementFailed && BUSY.test(error.code)) {
    log.warn({ code: error.code }, 'the database rejected a statement temporarily');
    return unavailable('the database is too busy: nothing was written, try again');
  }
  if (error instanceof ChainUnavailable) return unavailable('the chain cannot be reached: try again');
  const { statusCode, code } = error as Partial<FastifyError>;
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    const message = FRAMEWORK_MESSAGES[code ?? ''] ?? 'the request is not valid';
    return {
      status: OWN_STATUS.has(statusCode) ? statusCode : 400,
      failure: new Failure('bad_request', message),
    };
  }
  log.error({ err: error }, 'a request failed with an internal error');
  return {
    status: 500,
    failure: new Failure('internal', 'something failed on our side; nothing was written'),
  };
}

function unavailable(message: string): { status: number; failure: Failure } {
  return { status: 503, failure: new Failure('service_unavailable', message) };
}
