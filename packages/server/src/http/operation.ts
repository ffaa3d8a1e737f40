import type { RouteDefinition, ROUTES } from '@svc/contract';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onErrorAsyncHookHandler,
  preValidationAsyncHookHandler,
} from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { Caller } from '../identity/caller.ts';
import { sendInPieces } from './large-answers.ts';

export type Route = (typeof ROUTES)[keyof typeof ROUTES];

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: RouteDefinition;
  }
  interface FastifyRequest {
    caller: Caller | null;
  }
}

type Part<R, Name extends string> = R extends { readonly [N in Name]: infer S extends TSchema }
  ? Static<S>
  : unknown;

export interface Call<R extends Route> {
  params: Part<R, 'params'>;
  query: Part<R, 'query'>;
  body: Part<R, 'body'>;
  headers: FastifyRequest['headers'];
  caller: R extends { readonly auth: 'public' } ? Caller | null : Caller;
  request: FastifyRequest;
  reply: FastifyReply;
}

const PREFIX = '/api/v1';

export interface OperationHooks {
  /** runs before validation, so that a caller over its limit costs no validation */
  preValidation?: preValidationAsyncHookHandler;
  onError?: onErrorAsyncHookHandler;
}

export function operation<R extends Route>(
  api: FastifyInstance,
  route: R,
  handle: (call: Call<R>) => unknown,
  hooks: OperationHooks = {},
): void {
  const { method, path, success } = route;
  const schemas = route as { params?: TSchema; query?: TSchema; body?: TSchema; headers?: TSchema };
  api.route({
    method: method,
    url: path.slice(PREFIX.length).replace(/\{(\w+)\}/g, ':$1'),
    config: { operation: route },
    ...hooks,
    schema: {
      ...(schemas.params && { params: schemas.params }),
      ...(schemas.query && { querystring: schemas.query }),
      ...(schemas.body && { body: schemas.body }),
      ...(schemas.headers && { headers: schemas.headers }),
    },
    handler(request, reply) {
      void reply.code(success.status);
      const answer = handle({
        params: request.params,
        query: request.query,
        body: request.body,
        headers: request.headers,
        caller: request.caller,
        request,
        reply,
      } as Call<R>);
      return answer instanceof Promise
        ? answer.then((made) => sendInPieces(reply, made))
        : sendInPieces(reply, answer);
    },
  });
}
