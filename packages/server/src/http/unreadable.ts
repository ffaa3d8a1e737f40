import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../platform/failure.ts';
import { envelope, sendError } from './errors.ts';

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
