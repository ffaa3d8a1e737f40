import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RequestSpan, Traces } from '../platform/traces/traced.ts';

/** Names spans by operation or path pattern, so that names contain no ids. */
export function addTraces(app: FastifyInstance, traces: Traces): void {
  const spans = new WeakMap<FastifyRequest, RequestSpan>();
  app.addHook('onRequest', (request, _reply, done) => {
    const { traceparent } = request.headers;
    const span = traces.request(request.method, typeof traceparent === 'string' ? traceparent : undefined);
    spans.set(request, span);
    span.enter(done);
  });
  // The body arrives outside the request's context: enter the span again.
  app.addHook('preValidation', (request, _reply, done) => spans.get(request)!.enter(done));
  app.addHook('onResponse', async (request, reply) => {
    const { config, url } = request.routeOptions;
    spans.get(request)?.end(config?.operation?.operationId ?? url ?? 'other', reply.statusCode);
  });
}
