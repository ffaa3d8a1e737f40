import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../vitals/metrics.ts';

export function mountMetrics(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    // A stream's duration is no response time.
    if (String(reply.raw.getHeader('content-type')).startsWith('text/event-stream')) return done();
    const { config, url } = request.routeOptions;
    metrics.notes.request({
      operation: config?.operation?.operationId ?? url ?? 'other',
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1000,
    });
    done();
  });

  app.get('/metrics', async (_request, reply) =>
    reply.header('Content-Type', metrics.contentType).send(await metrics.text()),
  );
}
