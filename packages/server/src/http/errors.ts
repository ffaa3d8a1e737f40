import type { Socket } from 'node:net';
import {
  describeIssues,
  type ErrorCode,
  isUuid,
  ROUTES,
  STATUS_OF,
  type ValidatorIssue,
} from '@svc/contract';
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ChainUnavailable } from '../chain/port.ts';
import { DatabaseUnavailable, StatementFailed } from '../db/db.ts';
import { Failure, RateLimited, Unavailable } from '../platform/failure.ts';

/** These statuses keep their number with the code `bad_request` (docs/specification.md#envelope). */
const OWN_STATUS = new Set([405, 413, 415]);

const FRAMEWORK_MESSAGES: Readonly<Record<string, string>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'the body is larger than the service takes',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'send the body as application/json in UTF-8',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'the body does not have the length that Content-Length says',
  CODED_BODY: 'send the body as it is, without a Content-Encoding',
  FST_ERR_BAD_URL: 'the URL is not validly encoded',
};

/** Headers of limits, which pages of other origins may read. */
export const LIMIT_HEADERS = [
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
];

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
  if (failure.code === 'service_unavailable')
    void reply.header('Retry-After', failure instanceof Unavailable ? failure.retryAfter : 1);
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
  // Without a line for each request: the start has warned (service/start/open-files.ts).
  if (code === 'EMFILE' || code === 'ENFILE')
    return unavailable('the service has too many files and connections open: try again');
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

export function invalid(issues: readonly ValidatorIssue[]): Failure {
  const details = describeIssues(issues);
  const first = details[0];
  const message = first?.path
    ? `${first.path} ${first.message}`
    : first
      ? `the body ${first.message}`
      : 'the request is not valid';
  return new Failure('bad_request', message, details);
}

/** @throws Failure not_found for text that is no UUID, as for an unknown id */
export function idOf(text: string, notFound: string): string {
  if (!isUuid(text)) throw new Failure('not_found', notFound);
  return text.toLowerCase();
}

const patterns = Object.values(ROUTES).map((route) => ({
  method: route.method,
  path: new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+')}$`),
}));

const methodsAt = (path: string): string[] =>
  patterns.filter((pattern) => pattern.path.test(path)).map((pattern) => pattern.method);

export function answerUnknown(request: FastifyRequest, reply: FastifyReply): void {
  const path = request.url.split('?', 1)[0]!;
  const methods = methodsAt(path);
  const slash = path.endsWith('/') && methodsAt(path.slice(0, -1)).length > 0;
  const failure =
    methods.length > 0
      ? new Failure('bad_request', `this path does not accept ${request.method}, only ${methods.join(', ')}`)
      : new Failure(
          'not_found',
          `there is nothing at this path${slash ? ': leave out the slash at its end' : ''}`,
        );
  if (methods.length > 0) void reply.header('Allow', methods.join(', '));
  void reply
    .code(methods.length > 0 ? 405 : 404)
    .header('Cache-Control', 'no-store')
    .send(envelope(failure));
}

type Unknown = (request: FastifyRequest, reply: FastifyReply) => unknown;
type Check = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** No route and no hook runs for an unreadable URL, so this checks credentials and meters. */
export function answerBadUrl(check: Check, unknown: Unknown) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    if (!request.url.startsWith('/api/')) {
      setOwnHeaders(request, reply);
      void Promise.resolve(unknown(request, reply)).catch((failure: unknown) =>
        sendError(failure, request, reply),
      );
      return;
    }
    if (!request.url.startsWith('/api/v1/')) return sendError(error, request, reply);
    void check(request, reply).then(
      () => sendError(error, request, reply),
      (refusal: unknown) => sendError(refusal, request, reply),
    );
  };
}

export function setOwnHeaders(request: FastifyRequest, reply: FastifyReply): void {
  void reply.header('X-Request-Id', request.id);
  void reply.header('X-Content-Type-Options', 'nosniff');
}

const UNPARSED: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'the headers are larger than the service takes',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request took too long to arrive',
};

export function answerUnparsed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) {
    const message = UNPARSED[error.code ?? ''] ?? 'this is not a valid HTTP request';
    const body = JSON.stringify(envelope(new Failure('bad_request', message)));
    const head = [
      'HTTP/1.1 400 Bad Request',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'Connection: close',
    ].join('\r\n');
    socket.write(`${head}\r\n\r\n${body}`);
  }
  socket.destroy();
}

/** Takes requests that Node would answer without the envelope. */
export function takeAllRequests(app: FastifyInstance): void {
  // RFC 9110, 10.1.1 allows to ignore `Expect`.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response));
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const missing = raw.headers.host === undefined && raw.httpVersion === '1.1';
    done(missing ? new Failure('bad_request', 'the header host is missing') : undefined);
  });
}
