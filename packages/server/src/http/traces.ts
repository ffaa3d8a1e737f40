import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RequestSpan, Traces } from '../traces/traces.ts';

/** Each request is a span: named by its operation, or by the pattern of its path, which holds nothing of its own. */
export function addTraces(app: FastifyInstance, traces: Traces): void {
  const spans = new WeakMap<FastifyRequest, RequestSpan>();
  app.addHook('onRequest', (request, _reply, done) => {
    const { traceparent } = request.headers;
    const span = traces.request(request.method, typeof traceparent === 'string' ? traceparent : undefined);
    spans.set(request, span);
    span.enter(done);
  });
  // A body comes in by events of the connection, which belong to no request: enter it anew.
  app.addHook('preValidation', (request, _reply, done) => spans.get(request)!.enter(done));
  app.addHook('onResponse', async (request, reply) => {
    const { config, url } = request.routeOptions;
    spans.get(request)?.end(config?.operation?.operationId ?? url ?? 'other', reply.statusCode);
  });
}
