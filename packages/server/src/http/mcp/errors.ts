import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Failure, RateLimited } from '../../platform/failure.ts';
import { answerFailure } from '../errors.ts';

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const SERVER_ERROR = -32000;

export const sendRpcErrors =
  (challenge: (request: FastifyRequest) => string) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const failure = answerFailure(error, request, reply);
    if (failure.code === 'unauthorized') void reply.header('WWW-Authenticate', challenge(request));
    void reply
      .header('Content-Type', 'application/json; charset=utf-8')
      .send(JSON.stringify(rpcError(failure)));
  };

export function rpcError(failure: Failure): object {
  const { code, message, details } = failure;
  // json-body.ts writes this detail.
  const unreadable = code === 'bad_request' && details !== undefined;
  return {
    jsonrpc: '2.0',
    id: null,
    error: {
      code: unreadable ? PARSE_ERROR : code === 'bad_request' ? INVALID_REQUEST : SERVER_ERROR,
      message,
      data: { code, ...(failure instanceof RateLimited ? { retry_after_seconds: failure.retryAfter } : {}) },
    },
  };
}
