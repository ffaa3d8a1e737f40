import { ROUTES } from '@svc/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../platform/failure.ts';
import { envelope } from './errors.ts';

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
