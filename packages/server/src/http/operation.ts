// Mounts an operation of the contract: validation, status and headers come from `ROUTES`, the answer from a handler.
import { type OperationId, type RouteDefinition, ROUTES } from '@svc/contract';
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

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: RouteDefinition;
  }
  interface FastifyRequest {
    caller: Caller | null;
  }
}

type Route = (typeof ROUTES)[OperationId];

type Part<R, Name extends string> = R extends { readonly [N in Name]: infer S extends TSchema }
  ? Static<S>
  : unknown;

interface Call<R extends Route> {
  params: Part<R, 'params'>;
  query: Part<R, 'query'>;
  body: Part<R, 'body'>;
  headers: FastifyRequest['headers'];
  caller: R extends { readonly auth: 'public' } ? Caller | null : Caller;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Handlers by operation of the contract. */
export type Operations = { [Id in OperationId]?: (call: Call<(typeof ROUTES)[Id]>) => unknown };

export function operations(api: FastifyInstance, handlers: Operations): void {
  for (const [id, handle] of Object.entries(handlers)) mountOperation(api, ROUTES[id as OperationId], handle);
}

const PREFIX = '/api/v1';

interface OperationHooks {
  /** runs before validation, so that a caller over its limit costs no validation */
  preValidation?: preValidationAsyncHookHandler;
  onError?: onErrorAsyncHookHandler;
}

export const operation: <R extends Route>(
  api: FastifyInstance,
  route: R,
  handle: (call: Call<R>) => unknown,
  hooks?: OperationHooks,
) => void = mountOperation;

function mountOperation(
  api: FastifyInstance,
  route: Route,
  handle: (call: never) => unknown,
  hooks: OperationHooks = {},
): void {
  const { method, path, success, params, query, body, headers } = route as RouteDefinition;
  const isRevalidated = success.headers?.includes('ETag');
  api.route({
    method,
    url: path.slice(PREFIX.length).replace(/\{(\w+)\}/g, ':$1'),
    config: { operation: route },
    ...hooks,
    schema: {
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(body && { body }),
      ...(headers && { headers }),
    },
    async handler(request, reply) {
      void reply.code(success.status);
      if (isRevalidated) void reply.header('Cache-Control', 'no-cache');
      const { params, query, body, headers, caller } = request;
      const call = { params, query, body, headers, caller, request, reply };
      return sendInPieces(reply, await handle(call as never));
    },
  });
}
